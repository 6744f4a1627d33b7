package org.apache.spark.sql.lamina.iceberg

import org.apache.iceberg.{BaseTable, DataFile, DataFiles, PartitionSpec, TableMetadata, TableOperations}
import org.apache.iceberg.exceptions.{AlreadyExistsException, CommitFailedException, CommitStateUnknownException, ValidationException}
import org.apache.iceberg.io.{FileIO, LocationProvider}
import org.apache.iceberg.types.Types
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.lamina.{JavaCollections, LakeSession}
import org.apache.spark.sql.lamina.schema.NewField
import org.apache.spark.sql.types.{StringType, StructField}

/** The staged table itself, and races that are lost at the very last moment. */
class StagedOperationsSuite extends AnyFunSuite with LakeSession {

  /** A table's operations, with something that happens around the first commit. */
  private class Interrupted(real: TableOperations, before: () => Unit, after: () => Unit)
      extends TableOperations {
    private var commits = 0
    override def commit(base: TableMetadata, metadata: TableMetadata): Unit = {
      commits += 1
      if (commits == 1) before()
      real.commit(base, metadata)
      if (commits == 1) after()
    }
    override def current(): TableMetadata = real.current()
    override def refresh(): TableMetadata = real.refresh()
    override def io(): FileIO = real.io()
    override def locationProvider(): LocationProvider = real.locationProvider()
    override def metadataFileLocation(name: String): String = real.metadataFileLocation(name)
  }

  private def operations(t: String): TableOperations =
    load(t).asInstanceOf[BaseTable].operations()

  /** The table with the column `a`, staged on what it is now. */
  private def stage(
      t: String,
      before: () => Unit = () => (),
      after: () => Unit = () => (),
      annotate: Map[String, String] => Map[String, String] = _ => Map.empty): StagedOperations = {
    val real = new Interrupted(operations(t), before, after)
    val added = Seq(NewField(Nil, StructField("a", StringType)))
    new StagedOperations(t, real, real.refresh(), SchemaUpdates.add(added, real)(_), annotate)
  }

  private def file(records: Long): DataFile = DataFiles
    .builder(PartitionSpec.unpartitioned())
    .withPath(s"$folder/no-such-file-$records.parquet")
    .withFileSizeInBytes(100)
    .withRecordCount(records)
    .build()

  private def append(operations: TableOperations, records: Long = 1): Unit =
    new BaseTable(operations, "staged").newAppend().appendFile(file(records)).commit()

  private def names(t: String): Seq[String] =
    JavaCollections.seq(load(t).schema().columns()).map(_.name())

  test("dropped unused, it leaves no trace") {
    val t = newTable("id INT")
    val (before, files) = (metadata(t).metadataFileLocation(), this.files(t))
    val staged = stage(t)
    assert(staged.current().schema().findField("a") != null)
    assert(staged.refresh().schema().findField("a") != null)
    assert(staged.outcome == CommitOutcome.Pending)
    assert(metadata(t).metadataFileLocation() == before)
    assert(this.files(t) == files)
  }

  test("the column and the snapshot are one commit, and the summary gets its entries") {
    val t = newTable("id INT")
    val staged = stage(t, annotate = summary => Map("lamina.seen" -> summary("added-records")))
    append(staged, records = 7)
    assert(names(t) == Seq("id", "a"))
    assert(metadataFiles(t).size == 2)
    val snapshot = load(t).currentSnapshot()
    assert(snapshot.summary().get("lamina.seen") == "7")
    assert(snapshot.schemaId() == load(t).schema().schemaId())
    staged.outcome match {
      case CommitOutcome.Committed(Some(record)) =>
        assert(record.id == snapshot.snapshotId())
        assert(record.summary("lamina.seen") == "7")
      case other => fail(other.toString)
    }
  }

  test("a snapshot without files is dropped; the column is committed alone") {
    val t = newTable("id INT")
    val staged = stage(t)
    new BaseTable(staged, "staged").newAppend().commit()
    assert(staged.outcome == CommitOutcome.Committed(None))
    staged.cleanUp()
    assert(names(t) == Seq("id", "a"))
    assert(load(t).currentSnapshot() == null)
    assert(files(t).count(_.endsWith(".avro")) == 0)
  }

  test("an append that is committed first is kept, and the column is added on top") {
    val t = newTable("id INT")
    val staged = stage(t, before = () => append(operations(t), records = 2))
    append(staged, records = 3)
    assert(names(t) == Seq("id", "a"))
    assert(JavaCollections.seq(load(t).snapshots()).map(_.summary().get("added-records")) ==
      Seq("2", "3"))
    assert(load(t).currentSnapshot().summary().get("total-records") == "5")
  }

  test("a column that takes the planned field id makes the commit stale") {
    val t = newTable("id INT")
    val staged = stage(
      t,
      before = () => load(t).updateSchema().addColumn("b", Types.StringType.get()).commit())
    val thrown = intercept[StaleSchemaException](append(staged))
    assert(IcebergCatalogs.isLostRace(thrown))
    assert(names(t) == Seq("id", "b"))
    assert(load(t).currentSnapshot() == null)
  }

  test("the same column committed first makes it stale: it is not this statement that adds it") {
    val t = newTable("id INT")
    val staged = stage(
      t,
      before = () => load(t).updateSchema().addColumn("a", Types.StringType.get()).commit())
    intercept[StaleSchemaException](append(staged))
    assert(names(t) == Seq("id", "a"))
    assert(load(t).currentSnapshot() == null)
  }

  test("a commit whose answer is lost is not tried again") {
    val t = newTable("id INT")
    val lost = new CommitStateUnknownException(new CommitFailedException("no answer"))
    val staged = stage(t, after = () => throw lost)
    val thrown = intercept[CommitStateUnknownException](append(staged))
    assert(!IcebergCatalogs.isLostRace(thrown))
    assert(JavaCollections.seq(load(t).snapshots()).size == 1)
  }

  test("which errors are lost races") {
    Seq(
      new CommitFailedException("x"),
      new ValidationException("x"),
      new AlreadyExistsException("x"),
      new StaleSchemaException("t"),
      new RuntimeException(new RuntimeException(new CommitFailedException("x")))).foreach { error =>
      assert(IcebergCatalogs.isLostRace(error), error)
    }
    Seq(
      new RuntimeException("x"),
      new CommitStateUnknownException(new RuntimeException("x")),
      new RuntimeException(new CommitStateUnknownException(new CommitFailedException("x"))))
      .foreach(error => assert(!IcebergCatalogs.isLostRace(error), error))
  }
}
