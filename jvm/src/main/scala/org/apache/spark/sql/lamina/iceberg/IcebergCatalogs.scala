package org.apache.spark.sql.lamina.iceberg

import org.apache.iceberg.{BaseTable, HasTableOperations, ManifestFiles, PartitionSpec, TableProperties, Transaction}
import org.apache.iceberg.exceptions.{AlreadyExistsException, CommitFailedException, CommitStateUnknownException, ValidationException}
import org.apache.iceberg.spark.{Spark3Util, SparkSchemaUtil}
import org.apache.iceberg.spark.source.{HasIcebergCatalog, SparkTable}

import org.apache.spark.sql.catalyst.analysis.NoSuchTableException
import org.apache.spark.sql.connector.catalog.{Identifier, TableCatalog, V1Table, ViewCatalog}
import org.apache.spark.sql.lamina.{JavaCollections, LaminaErrors}
import org.apache.spark.sql.types.StructType

/** Finding and making Iceberg tables through the catalogs of a Spark session. */
object IcebergCatalogs {

  def canCreate(catalog: TableCatalog): Boolean = catalog.isInstanceOf[HasIcebergCatalog]

  /** The table of that name; nothing when there is none; an error when it is not ours to write. */
  def load(catalog: TableCatalog, ident: Identifier, name: String): Option[IcebergTarget] =
    try Some(target(catalog, ident, name))
    catch {
      case _: NoSuchTableException if isView(catalog, ident) =>
        throw LaminaErrors.unsupportedTable(name, "a view")
      case _: NoSuchTableException => None
    }

  private def isView(catalog: TableCatalog, ident: Identifier): Boolean = catalog match {
    case views: ViewCatalog => views.viewExists(ident)
    case _ => false
  }

  private def target(catalog: TableCatalog, ident: Identifier, name: String): IcebergTarget =
    catalog.loadTable(ident) match {
      case iceberg: SparkTable =>
        val branch = Option(iceberg.branch())
        iceberg.table() match {
          // `t.tag_x` and the like load the table `t`: writing would go to its main branch.
          case base: BaseTable if branch.isEmpty && !base.name().endsWith(ident.name()) =>
            throw LaminaErrors.unsupportedTable(name, "a snapshot of the past")
          case base: BaseTable => new IcebergTarget(catalog, name, base.operations(), branch)
          case _ => throw LaminaErrors.unsupportedTable(name, "a metadata table")
        }
      case v1: V1Table if v1.v1Table.tableType.name == "VIEW" =>
        throw LaminaErrors.unsupportedTable(name, "a view")
      case v1: V1Table =>
        throw LaminaErrors.unsupportedTable(
          name,
          s"a ${v1.v1Table.provider.getOrElse("Hive")} table")
      case other =>
        throw LaminaErrors.unsupportedTable(name, s"a table of ${other.getClass.getSimpleName}")
    }

  /** A table that appears in the catalog only together with its first rows. */
  def stageNew(
      catalog: TableCatalog,
      ident: Identifier,
      name: String,
      schema: StructType,
      partitionedBy: Seq[Seq[String]],
      properties: Map[String, String],
      annotate: Map[String, String] => Map[String, String]): StagedTable = {
    val columns = SparkSchemaUtil.convert(schema)
    val spec = partitionedBy
      .map(_.mkString("."))
      .foldLeft(PartitionSpec.builderFor(columns))(_.identity(_))
      .build()
    val transaction = catalog
      .asInstanceOf[HasIcebergCatalog]
      .icebergCatalog()
      .buildTable(Spark3Util.identifierToTableIdentifier(ident), columns)
      .withPartitionSpec(spec)
      .withProperties(JavaCollections.javaMap(formatFor(schema) ++ properties))
      .createTransaction()
    val pending = transaction.table().asInstanceOf[HasTableOperations].operations()
    val staged = new StagedOperations(name, pending, pending.current(), identity, annotate)
    new StagedTable(catalog, new BaseTable(staged, name), None, staged, () => create(transaction))
  }

  /** Some types need a newer format than the one that Iceberg gives to new tables. */
  private def formatFor(schema: StructType): Map[String, String] =
    if (SchemaUpdates.canHold(schema, formatVersion = 2)) Map.empty
    else Map(TableProperties.FORMAT_VERSION -> "3")

  /** Iceberg removes the metadata of a table that somebody else created first; its rows are ours to remove. */
  private def create(transaction: Transaction): Unit = {
    val table = transaction.table()
    val files = for {
      snapshot <- Option(table.currentSnapshot()).toSeq
      manifest <- JavaCollections.seq(snapshot.dataManifests(table.io()))
      file <- JavaCollections.seq(ManifestFiles.readPaths(manifest, table.io(), table.specs()))
    } yield file
    try transaction.commitTransaction()
    catch {
      case lost @ (_: AlreadyExistsException | _: CommitFailedException) =>
        files.foreach(file => table.io().deleteFile(file))
        throw lost
    }
  }

  /** Whether another writer was faster, so that nothing was committed and the statement can be planned again. */
  def isLostRace(error: Throwable): Boolean = {
    val causes = Iterator.iterate(error)(_.getCause).takeWhile(_ != null).toSeq
    // An unknown outcome may be a success: trying again could write the rows twice.
    !causes.exists(_.isInstanceOf[CommitStateUnknownException]) && causes.exists {
      case _: AlreadyExistsException | _: StaleSchemaException | _: RepeatedRunException => true
      case _: CommitFailedException | _: ValidationException => true
      case _ => false
    }
  }
}
