package org.apache.spark.sql.lamina.schema

import org.apache.spark.sql.lamina.LaminaErrors
import org.apache.spark.sql.lamina.settings.PolicyKind

/**
 * What a statement does about the differences: fields it adds to the table, fields of the table it
 * fills with NULL, fields of the source it leaves out.
 */
case class SchemaChange(added: Seq[NewField], padded: Seq[MissingField], ignored: Seq[NewField]) {

  /** The change as a person would write it, or nothing when the table stays as it is. */
  def alterStatement(table: String): Option[String] =
    if (added.isEmpty) None
    else {
      val columns = added.map(a => s"${a.name} ${a.field.dataType.asNullable.sql}" + comment(a))
      Some(columns.mkString(s"ALTER TABLE $table ADD COLUMNS (", ", ", ")"))
    }

  private def comment(added: NewField): String =
    added.field.getComment().map(text => s" COMMENT '${text.replace("'", "\\'")}'").getOrElse("")
}

object SchemaChange {

  val none: SchemaChange = SchemaChange(Nil, Nil, Nil)

  val available: Seq[PolicyKind] =
    Seq(PolicyKind.Fail, PolicyKind.Ignore, PolicyKind.AppendNewColumns)

  /** Applies the policy; a difference it does not allow is an error. */
  def decide(diff: SchemaDiff, policy: PolicyKind, table: String): SchemaChange = {
    requireAvailable(policy)
    diff.typeChanges.headOption.foreach { change =>
      throw LaminaErrors.typeChanged(table, change.name, change.source, change.target)
    }
    policy match {
      case PolicyKind.Fail =>
        if (diff.added.nonEmpty || diff.missing.nonEmpty) {
          throw LaminaErrors.schemaChanged(table, diff.added.map(_.name), diff.missing.map(_.name))
        }
        none
      case PolicyKind.Ignore =>
        SchemaChange(Nil, nullable(diff.missing, table), diff.added)
      case PolicyKind.AppendNewColumns =>
        SchemaChange(diff.added.map(nullable), nullable(diff.missing, table), Nil)
      case other => throw unavailable(other)
    }
  }

  def requireAvailable(policy: PolicyKind): Unit =
    if (!available.contains(policy)) throw unavailable(policy)

  private def unavailable(policy: PolicyKind) =
    LaminaErrors.unsupportedFeature(s"ON SCHEMA CHANGE ${policy.name}", available.map(_.name))

  private def nullable(missing: Seq[MissingField], table: String): Seq[MissingField] = {
    val required = missing.filterNot(_.nullable)
    if (required.nonEmpty) throw LaminaErrors.notNullColumn(table, required.map(_.name))
    missing
  }

  private def nullable(added: NewField): NewField =
    added.copy(field = added.field.copy(nullable = true))
}
