package org.apache.spark.sql.lamina.rowlevel

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, DataInputStream, DataOutputStream}

import org.roaringbitmap.longlong.Roaring64Bitmap

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{BinaryExpression, Expression, Predicate}
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode}
import org.apache.spark.unsafe.types.UTF8String

/**
 * Places of rows, in so little room that they go to every task.
 *
 * @param positions for each file a bitmap, as bytes
 */
final class RowPlaces private (positions: Map[String, Array[Byte]]) extends Serializable {

  def files: Seq[String] = positions.keys.toSeq.sorted

  def and(other: RowPlaces): RowPlaces =
    new RowPlaces(other.in.foldLeft(in) { case (all, (file, bytes)) =>
      all.updated(file, all.get(file).fold(bytes)(RowPlaces.union(_, bytes)))
    })

  def lookup(): PlaceLookup = new PlaceLookup(file =>
    positions.get(file).fold(Array.emptyLongArray)(RowPlaces.bitmap(_).toArray))

  private def in: Map[String, Array[Byte]] = positions
}

object RowPlaces {

  val none: RowPlaces = new RowPlaces(Map.empty)

  /** @param rows a file, and a position in it */
  def of(rows: Iterator[InternalRow]): RowPlaces = {
    val found = scala.collection.mutable.Map.empty[String, Roaring64Bitmap]
    rows.foreach { row =>
      found.getOrElseUpdate(row.getUTF8String(0).toString, new Roaring64Bitmap).add(row.getLong(1))
    }
    new RowPlaces(found.map { case (file, positions) => file -> bytes(positions) }.toMap)
  }

  private def union(a: Array[Byte], b: Array[Byte]): Array[Byte] = {
    val all = bitmap(a)
    all.or(bitmap(b))
    bytes(all)
  }

  private def bytes(positions: Roaring64Bitmap): Array[Byte] = {
    val out = new ByteArrayOutputStream
    positions.serialize(new DataOutputStream(out))
    out.toByteArray
  }

  private def bitmap(bytes: Array[Byte]): Roaring64Bitmap = {
    val positions = new Roaring64Bitmap
    positions.deserialize(new DataInputStream(new ByteArrayInputStream(bytes)))
    positions
  }
}

/** For one task, which reads the rows of a file one after the other. */
final class PlaceLookup(find: String => Array[Long]) {

  private var file: UTF8String = _
  private var positions: Array[Long] = _
  private var next = 0

  def has(file: UTF8String, position: Long): Boolean = {
    if (file != this.file) open(file)
    if (next > 0 && positions(next - 1) >= position) next = 0
    while (next < positions.length && positions(next) < position) next += 1
    next < positions.length && positions(next) == position
  }

  private def open(file: UTF8String): Unit = {
    this.file = file.copy()
    positions = find(file.toString)
    next = 0
  }
}

/** Whether the row of the table is one of these. */
case class IsAtPlace(file: Expression, position: Expression, places: RowPlaces)
    extends BinaryExpression
    with Predicate {

  override def left: Expression = file
  override def right: Expression = position
  override def nullable: Boolean = false

  @transient private lazy val lookup = places.lookup()

  override protected def nullSafeEval(file: Any, position: Any): Any =
    lookup.has(file.asInstanceOf[UTF8String], position.asInstanceOf[Long])

  override protected def doGenCode(context: CodegenContext, code: ExprCode): ExprCode = {
    val known = context.addReferenceObj("places", places)
    val lookup = context.addMutableState(
      classOf[PlaceLookup].getName,
      "lookup",
      lookup => s"$lookup = $known.lookup();")
    defineCodeGen(context, code, (file, position) => s"$lookup.has($file, $position)")
  }

  override def toString: String = s"($file, $position) in places"

  override protected def withNewChildrenInternal(
      file: Expression,
      position: Expression): Expression =
    copy(file = file, position = position)
}
