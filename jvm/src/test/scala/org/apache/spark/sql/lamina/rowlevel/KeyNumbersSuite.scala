package org.apache.spark.sql.lamina.rowlevel

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

/** Never wrong about a number that is there, rarely about one that is not. */
class KeyNumbersSuite extends AnyFunSuite {

  for (count <- Seq(0, 1, 1000, 100000)) {
    test(s"$count numbers") {
      val random = new Random(count)
      val numbers = Array.fill(count)(random.nextLong())
      val known = KeyNumbers.of(numbers)
      assert(numbers.forall(known.mayHave))
      val others = Seq.fill(10000)(random.nextLong())
      assert(others.count(known.mayHave) < 1500)
    }
  }
}
