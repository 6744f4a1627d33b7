package org.apache.spark.sql.lamina.rowlevel

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.objects.AssertNotNull
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation
import org.apache.spark.sql.util.CaseInsensitiveStringMap

/**
 * Changes and additions, written by one row-level operation of the table, which is validated against
 * concurrent writers when it is committed.
 */
trait RowLevelWrite {

  /** The rows of the table, with the identifiers that this write needs to find them again. */
  def target: TargetRows

  /**
   * @param added rows in the shape of the table, inserted in addition to the changes
   * @param places of the changed rows, for a write that reads the table
   * @param tasks that write the new rows, if these need not be spread over as many as there can be
   */
  def plan(
      changes: ChangedRows,
      added: Option[LogicalPlan],
      places: => RowPlaces,
      tasks: Option[Int]): LogicalPlan

  protected def template: MergeTemplate

  /** Changed rows of these kinds, in the layout of one of the template's rows. */
  protected def rows(
      row: Seq[Expression],
      identifiers: Seq[(Attribute, Attribute)],
      changes: ChangedRows,
      kinds: ChangeKind*): LogicalPlan = {
    val wanted = In(changes.kind, kinds.map(kind => Literal(kind.code)))
    Project(fill(row, changes.values, identifiers), Filter(wanted, changes.plan))
  }

  protected def inserted(changes: ChangedRows, added: Option[LogicalPlan]): Seq[LogicalPlan] =
    rows(template.insert, Nil, changes, ChangeKind.Insert) +:
      added.toSeq.map(a => Project(fill(template.insert, a.output, Nil), a))

  /** The template's row with values and identifiers in place of its own. */
  private def fill(
      row: Seq[Expression],
      values: Seq[Attribute],
      identifiers: Seq[(Attribute, Attribute)]): Seq[NamedExpression] = {
    val replaced = AttributeMap(
      template.values.zip(values).map { case (from, to) => from -> required(from, to) } ++
        identifiers)
    named(row.map(_.transform { case a: Attribute => replaced.getOrElse(a, a) }))
  }

  private def required(column: Attribute, value: Attribute): Expression =
    if (column.nullable || !value.nullable) value else AssertNotNull(value, Seq(column.name))

  protected def named(row: Seq[Expression]): Seq[NamedExpression] =
    row.zip(template.write.query.output).map { case (value, column) =>
      Alias(value, column.name)()
    }

  protected def inTasks(count: Int, rows: LogicalPlan): LogicalPlan =
    Repartition(count, shuffle = false, rows)
}

/** Merge-on-read: old rows are deleted by their position, new ones are written beside them. */
class DeltaWrite(protected val template: MergeTemplate) extends RowLevelWrite {

  override val target: TargetRows =
    TargetRows(template.read, template.columns, template.read.output.drop(template.columns.size))

  override def plan(
      changes: ChangedRows,
      added: Option[LogicalPlan],
      places: => RowPlaces,
      tasks: Option[Int]): LogicalPlan = {
    import ChangeKind._
    val identifiers = target.position.zip(changes.position)
    val deletes = rows(template.update.head, identifiers, changes, Update, Close, Delete)
    val written = Union(
      rows(template.update.last, identifiers, changes, Update, Close) +: inserted(changes, added))
    tasks match {
      // All deletes of a file are in one task, as format v3 wants it; what is new needs none of them.
      case Some(1) => unshuffled(inTasks(1, Union(deletes, written)))
      case Some(count) => unshuffled(Union(inTasks(1, deletes), inTasks(count, written)))
      case None => write.copy(query = Union(deletes, written))
    }
  }

  private def write: WriteDelta = template.write.asInstanceOf[WriteDelta]

  private def unshuffled(rows: LogicalPlan): LogicalPlan = {
    val table = write.table.asInstanceOf[DataSourceV2Relation]
    val asTheyCome = new java.util.HashMap[String, String](table.options)
    asTheyCome.put("distribution-mode", "none")
    val options = new CaseInsensitiveStringMap(asTheyCome)
    write.copy(table = table.copy(options = options), query = rows)
  }
}

/** Copy-on-write: the files that hold a changed row are written anew, all others stay. */
class ReplaceWrite(protected val template: MergeTemplate) extends RowLevelWrite {

  private val original =
    template.write.asInstanceOf[ReplaceData].originalTable.asInstanceOf[DataSourceV2Relation]

  /** The operation's own read: of the files to be replaced, not of all. */
  private val read: DataSourceV2Relation = {
    val known = template.read.output
    val missing = ReplaceWrite.place.filterNot(name => known.exists(_.name == name))
    template.read.copy(output = known ++ missing.map(metadata))
  }

  /** Where a row is, and what the table knows of it beside its columns. */
  private val identifiers: Seq[AttributeReference] =
    (ReplaceWrite.place ++ read.output.drop(original.output.size).map(_.name)).distinct.map(
      metadata)

  private def metadata(name: String): AttributeReference =
    original.metadataOutput.find(_.name == name).get.asInstanceOf[AttributeReference]

  override val target: TargetRows = {
    val relation = original.copy(output = original.output ++ identifiers).newInstance()
    val (columns, position) = relation.output.splitAt(original.output.size)
    TargetRows(relation, columns, position)
  }

  override def plan(
      changes: ChangedRows,
      added: Option[LogicalPlan],
      places: => RowPlaces,
      tasks: Option[Int]): LogicalPlan = {
    import ChangeKind._
    // Spark 3.5 has the numbers of rows among the columns.
    val known = for {
      column <- read.output.drop(template.columns.size)
      held <- (changes.position ++ changes.values).find(_.name == column.name)
    } yield column -> held
    val written =
      Union(rows(template.update.head, known, changes, Update, Close) +: inserted(changes, added))
    template.write.asInstanceOf[ReplaceData].copy(
      query = Union(kept(places), tasks.fold[LogicalPlan](written)(inTasks(_, written))),
      condition = Literal.TrueLiteral,
      groupFilterCondition = None)
  }

  private def kept(changed: RowPlaces): LogicalPlan = {
    def column(name: String) = read.output.find(_.name == name).get
    val isChanged = IsAtPlace(column(ReplaceWrite.file), column(ReplaceWrite.position), changed)
    Project(named(template.copy.get), Filter(Not(isChanged), read))
  }
}

object ReplaceWrite {

  private val file = "_file"
  private val position = "_pos"

  /** A file, and a position in it. */
  val place: Seq[String] = Seq(file, position)
}

object RowLevelWrite {

  def of(template: MergeTemplate): RowLevelWrite = template.write match {
    case _: WriteDelta => new DeltaWrite(template)
    case _ => new ReplaceWrite(template)
  }

  /** A few rows are written by one task, or by two, sooner than they are sent to several. */
  def tasks(rows: Long): Option[Int] =
    if (rows <= 10000L) Some(1) else if (rows <= 250000L) Some(2) else None
}
