package org.apache.spark.sql.lamina.rowlevel

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.objects.AssertNotNull
import org.apache.spark.sql.catalyst.plans.LeftOuter
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation
import org.apache.spark.sql.types.BooleanType
import org.apache.spark.sql.util.CaseInsensitiveStringMap

/**
 * Changes and additions, written by one row-level operation of the table, which is validated against
 * concurrent writers when it is committed.
 */
trait RowLevelWrite {

  /** The rows of the table, with the identifiers that this write needs to find them again. */
  def target: TargetRows

  /** @param added rows in the shape of the table, inserted in addition to the changes */
  def plan(changes: ChangedRows, added: Option[LogicalPlan]): LogicalPlan

  /** The same for so many rows: a few need not be spread over many tasks. */
  def forRows(count: Long): RowLevelWrite = this

  protected def template: MergeTemplate

  /** The template's row with values and identifiers in place of its own. */
  protected def fill(
      row: Seq[Expression],
      values: Seq[Attribute],
      identifiers: Seq[(Attribute, Attribute)]): Seq[Expression] = {
    val replaced = AttributeMap(
      template.values.zip(values).map { case (from, to) => from -> required(from, to) } ++
        identifiers)
    row.map(_.transform { case a: Attribute => replaced.getOrElse(a, a) })
  }

  private def required(column: Attribute, value: Attribute): Expression =
    if (column.nullable || !value.nullable) value else AssertNotNull(value, Seq(column.name))

  protected def named(row: Seq[Expression]): Seq[NamedExpression] =
    row.zip(template.write.query.output).map { case (value, column) =>
      Alias(value, column.name)()
    }

  protected def inserts(rows: LogicalPlan, values: Seq[Attribute]): LogicalPlan =
    Project(named(fill(template.insert, values, Nil)), rows)
}

/** Merge-on-read: old rows are deleted by their position, new ones are written beside them. */
class DeltaWrite(protected val template: MergeTemplate) extends RowLevelWrite {

  override def forRows(count: Long): RowLevelWrite =
    if (count <= DeltaWrite.FewRows) new SmallDeltaWrite(template)
    else if (count <= DeltaWrite.SomeRows) new MediumDeltaWrite(template)
    else this

  override val target: TargetRows =
    TargetRows(template.read, template.columns, template.read.output.drop(template.columns.size))

  override def plan(changes: ChangedRows, added: Option[LogicalPlan]): LogicalPlan =
    write(Union(replaced(changes), inserted(changes, added)))

  protected def write(rows: LogicalPlan): WriteDelta =
    template.write.asInstanceOf[WriteDelta].copy(query = rows)

  protected def inserted(changes: ChangedRows, added: Option[LogicalPlan]): LogicalPlan = {
    val isInsert = EqualTo(changes.kind, Literal(ChangeKind.Insert.code))
    val rows = inserts(Filter(isInsert, changes.plan), changes.values)
    added.map(a => Union(rows, inserts(a, a.output))).getOrElse(rows)
  }

  /** Each old row as a delete, and as the row that it becomes, if it becomes one. */
  protected def replaced(changes: ChangedRows): LogicalPlan = {
    val identifiers = target.position.zip(changes.position)
    // A row that is not wanted may hold NULL where the table has none.
    def row(of: Seq[Expression], kinds: ChangeKind*): Seq[Expression] = {
      val wanted = In(changes.kind, kinds.map(kind => Literal(kind.code)))
      fill(of, changes.values, identifiers).map(_.transformUp { case required: AssertNotNull =>
        If(wanted, required, Literal(null, required.dataType))
      }) :+ wanted
    }
    import ChangeKind._
    val wanted = AttributeReference("wanted", BooleanType)()
    val layout =
      template.write.query.output.map(c => AttributeReference(c.name, c.dataType, c.nullable)())
    val expanded = Expand(
      Seq(
        row(template.update.head, Update, Close, Delete),
        row(template.update.last, Update, Close)),
      layout :+ wanted,
      changes.plan)
    Project(layout, Filter(wanted, expanded))
  }
}

private object DeltaWrite {

  /** That many rows are written by one task, or by three, sooner than they are sent to several. */
  val FewRows = 10000L
  val SomeRows = 100000L
}

/** By tasks which the rows reach without a shuffle. */
private abstract class UnshuffledDeltaWrite(template: MergeTemplate) extends DeltaWrite(template) {

  override protected def write(rows: LogicalPlan): WriteDelta = {
    val write = super.write(rows)
    val table = write.table.asInstanceOf[DataSourceV2Relation]
    val asTheyCome = new java.util.HashMap[String, String](table.options)
    asTheyCome.put("distribution-mode", "none")
    write.copy(table = table.copy(options = new CaseInsensitiveStringMap(asTheyCome)))
  }

  protected def inTasks(count: Int, rows: LogicalPlan): LogicalPlan =
    Repartition(count, shuffle = false, rows)
}

private class SmallDeltaWrite(template: MergeTemplate) extends UnshuffledDeltaWrite(template) {

  override def plan(changes: ChangedRows, added: Option[LogicalPlan]): LogicalPlan =
    write(inTasks(1, Union(replaced(changes), inserted(changes, added))))
}

/** All deletes of a file are in one task, as format v3 wants it; what is new needs none of them. */
private class MediumDeltaWrite(template: MergeTemplate) extends UnshuffledDeltaWrite(template) {

  override def plan(changes: ChangedRows, added: Option[LogicalPlan]): LogicalPlan =
    write(Union(
      inTasks(1, replaced(changes)),
      inTasks(2, inserted(changes, added))))
}

/** Copy-on-write: the files that hold a changed row are written anew, all others stay. */
class ReplaceWrite(protected val template: MergeTemplate) extends RowLevelWrite {

  private val original =
    template.write.asInstanceOf[ReplaceData].originalTable.asInstanceOf[DataSourceV2Relation]

  private val identifiers: Seq[AttributeReference] = Seq("_file", "_pos").map { name =>
    original.metadataOutput.find(_.name == name).get.asInstanceOf[AttributeReference]
  }

  /** The operation's own read: of the files to be replaced, not of all. */
  private val read: DataSourceV2Relation = {
    val known = template.read.output
    val missing = identifiers.filterNot(id => known.exists(_.name == id.name))
    template.read.copy(output = known ++ missing)
  }

  override val target: TargetRows = {
    val relation = original.copy(output = original.output ++ identifiers).newInstance()
    val (columns, position) = relation.output.splitAt(original.output.size)
    TargetRows(relation, columns, position)
  }

  override def plan(changes: ChangedRows, added: Option[LogicalPlan]): LogicalPlan = {
    val kept = keptRows(changes)
    val insertedRows = Filter(EqualTo(changes.kind, Literal(ChangeKind.Insert.code)), changes.plan)
    val inserted = inserts(insertedRows, changes.values)
    val more = added.map(a => inserts(a, a.output))
    template.write.asInstanceOf[ReplaceData].copy(
      query = Union(Seq(kept, inserted) ++ more),
      condition = Literal.TrueLiteral,
      groupFilterCondition = None)
  }

  private def keptRows(changes: ChangedRows): LogicalPlan = {
    val renamed = changes.plan.output.map(a => Alias(a, a.name)())
    val old = AttributeMap(changes.plan.output.zip(renamed.map(_.toAttribute)))
    val side = Project(
      renamed,
      Filter(Not(EqualTo(changes.kind, Literal(ChangeKind.Insert.code))), changes.plan))
    val places = changes.position.map(p => (read.output.find(_.name == p.name).get, old(p)))
    val joined =
      Join(read, side, LeftOuter, Some(same(places)), Broadcast.rightIfSmall(changes.plan))
    val kind = old(changes.kind)
    val carried = Not(EqualNullSafe(kind, Literal(ChangeKind.Delete.code)))
    val updated = fill(template.update.head, changes.values.map(old(_)), Nil)
    val row = template.copy.get.zip(updated).map { case (same, changed) =>
      if (same.semanticEquals(changed)) same else If(IsNull(kind), same, changed)
    }
    Project(named(row), Filter(carried, joined))
  }

  /** Looked up by one number: the name of a file is long, and there is one in every row of the table. */
  private def same(places: Seq[(Attribute, Attribute)]): Expression = {
    def number(columns: Seq[Attribute]) = XxHash64(columns, 42L)
    val sameNumber = EqualTo(number(places.map(_._1)), number(places.map(_._2)))
    // The same as an equality, which Spark would look the rows up by.
    val samePlace = places.map { case (a, b) =>
      And(LessThanOrEqual(a, b), GreaterThanOrEqual(a, b))
    }
    (sameNumber +: samePlace).reduce[Expression](And(_, _))
  }
}

object RowLevelWrite {

  def of(template: MergeTemplate): RowLevelWrite = template.write match {
    case _: WriteDelta => new DeltaWrite(template)
    case _ => new ReplaceWrite(template)
  }
}
