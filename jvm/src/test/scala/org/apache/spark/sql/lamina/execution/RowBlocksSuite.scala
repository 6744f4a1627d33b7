package org.apache.spark.sql.lamina.execution

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.lamina.LakeSession
import org.apache.spark.sql.types.{BinaryType, DataType, IntegerType, StringType}
import org.apache.spark.unsafe.types.UTF8String

/** Rows that are kept as bytes come back as they were. */
class RowBlocksSuite extends AnyFunSuite with LakeSession {

  private def roundTrip(types: Seq[DataType], rows: Seq[InternalRow], tasks: Int): Seq[Seq[Any]] = {
    val source: RDD[InternalRow] = spark.sparkContext.parallelize(rows, tasks)
    RowBlocks.rows(RowBlocks.of(source, types), types.size)
      .map(row =>
        types.indices.map(i => if (row.isNullAt(i)) null else row.get(i, types(i)).toString))
      .collect()
      .toSeq
  }

  test("NULLs, short and long texts, in their order") {
    val texts = Seq(null, "", "ä", "x" * 5000, "y" * 3000000, "z")
    val rows = texts.zipWithIndex.map { case (text, i) =>
      InternalRow(if (i == 2) null else i, UTF8String.fromString(text))
    }
    val expected = texts.zipWithIndex.map { case (text, i) =>
      Seq(if (i == 2) null else i.toString, text)
    }
    assert(roundTrip(Seq(IntegerType, StringType), rows, tasks = 2) == expected)
  }

  test("more rows than one block holds") {
    val rows = (0 until 50000).map(i => InternalRow(i, UTF8String.fromString("row " * 10 + i)))
    val back = roundTrip(Seq(IntegerType, StringType), rows, tasks = 3)
    assert(back.map(_.head) == (0 until 50000).map(_.toString))
  }

  test("no rows, and tasks without rows") {
    assert(roundTrip(Seq(BinaryType), Nil, tasks = 2) == Nil)
    assert(roundTrip(Seq(IntegerType), Seq(InternalRow(1)), tasks = 4) == Seq(Seq("1")))
  }
}
