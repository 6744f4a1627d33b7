package org.apache.spark.sql.lamina.analysis

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.util.quoteIfNeeded
import org.apache.spark.sql.connector.catalog.{CatalogManager, LookupCatalog, SupportsNamespaces, TableCatalog}
import org.apache.spark.sql.lamina.{LaminaErrors, Sessions}

/** From the words of the statement to a catalog and a name in it. */
private[analysis] class TargetNames(session: SparkSession) extends LookupCatalog {

  override protected val catalogManager: CatalogManager = Sessions.state(session).catalogManager

  def resolve(parts: Seq[String]): TargetName = (parts: @unchecked) match {
    case view if Sessions.state(session).catalog.isTempView(view) =>
      throw LaminaErrors.unsupportedTable(sql(view), "a temporary view")
    case CatalogAndIdentifier(catalog: TableCatalog, ident) =>
      TargetName(catalog, ident, sql(catalog.name() +: ident.namespace().toSeq :+ ident.name()))
    case CatalogAndIdentifier(catalog, _) =>
      throw LaminaErrors.unsupportedTable(sql(parts), s"in ${catalog.name()}, which has no tables")
  }

  def requireNamespace(name: TargetName): Unit = name.catalog match {
    case catalog: SupportsNamespaces if !catalog.namespaceExists(name.ident.namespace()) =>
      val missing = sql(catalog.name() +: name.ident.namespace().toSeq)
      throw LaminaErrors.targetNotFound(
        "schema",
        missing,
        s"Create it with CREATE SCHEMA $missing.")
    case _ =>
  }

  private def sql(parts: Seq[String]): String = parts.map(quoteIfNeeded).mkString(".")
}
