package org.apache.spark.sql.lamina.execution

import java.io.{ByteArrayOutputStream, DataOutputStream}

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.DataType
import org.apache.spark.unsafe.Platform

/**
 * Rows as blocks of bytes, each row behind its length. They are made and read far more cheaply than Spark's
 * columnar cache, and are read but once or twice.
 */
private[execution] object RowBlocks {

  private val blockBytes = 1 << 20
  private val lengthBytes = 8 // keeps what follows on the boundaries of words

  def of(rows: RDD[InternalRow], types: Seq[DataType]): RDD[Array[Byte]] =
    rows.mapPartitions(new Blocks(_, types.toArray))

  def rows(blocks: RDD[Array[Byte]], columns: Int): RDD[InternalRow] =
    blocks.mapPartitions(rowsIn(_, columns))

  def rowsIn(blocks: Iterator[Array[Byte]], columns: Int): Iterator[InternalRow] =
    blocks.flatMap(new Rows(_, columns))

  private class Blocks(rows: Iterator[InternalRow], types: Array[DataType])
      extends Iterator[Array[Byte]] {

    private lazy val toUnsafe = UnsafeProjection.create(types)
    private val buffer = new Array[Byte](4096)

    override def hasNext: Boolean = rows.hasNext

    override def next(): Array[Byte] = {
      val bytes = new ByteArrayOutputStream(buffer.length)
      val out = new DataOutputStream(bytes)
      while (rows.hasNext && bytes.size() < blockBytes) {
        val row = unsafe(rows.next())
        out.writeLong(row.getSizeInBytes.toLong)
        row.writeToStream(out, buffer)
      }
      bytes.toByteArray
    }

    private def unsafe(row: InternalRow): UnsafeRow = row match {
      case row: UnsafeRow => row
      case other => toUnsafe(other)
    }
  }

  private class Rows(block: Array[Byte], columns: Int) extends Iterator[InternalRow] {

    private val row = new UnsafeRow(columns)
    private var at = 0

    override def hasNext: Boolean = at < block.length

    override def next(): InternalRow = {
      val size = java.nio.ByteBuffer.wrap(block, at, lengthBytes).getLong.toInt
      row.pointTo(block, (Platform.BYTE_ARRAY_OFFSET + at + lengthBytes).toLong, size)
      at += lengthBytes + size
      row
    }
  }
}
