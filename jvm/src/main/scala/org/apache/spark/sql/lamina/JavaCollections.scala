package org.apache.spark.sql.lamina

import scala.collection.immutable.ListMap

/** Conversions that read the same under Scala 2.12 and 2.13, whose own converters differ. */
object JavaCollections {

  def seq[A](items: java.lang.Iterable[A]): Seq[A] = {
    val result = Seq.newBuilder[A]
    items.forEach(item => result += item)
    result.result()
  }

  def map[K, V](entries: java.util.Map[K, V]): Map[K, V] = {
    val result = ListMap.newBuilder[K, V]
    entries.forEach((key, value) => result += key -> value)
    result.result()
  }

  def javaMap[K, V](entries: Map[K, V]): java.util.Map[K, V] = {
    val result = new java.util.LinkedHashMap[K, V]()
    entries.foreach { case (key, value) => result.put(key, value) }
    result
  }
}
