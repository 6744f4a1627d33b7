-- snapshot replaces the partitions that occur in the source. NULL is a partition like another.

INSERT INTO lake.db.sales MERGE STRATEGY snapshot PARTITION COLUMN day
  SELECT * FROM VALUES ('mon', 1), ('tue', 2), (NULL, 3) AS batch(day, amount);
SELECT partition.day, record_count FROM lake.db.sales.partitions ORDER BY day;

INSERT INTO lake.db.sales MERGE STRATEGY snapshot
  SELECT * FROM VALUES ('tue', 20), ('tue', 21), ('wed', 4) AS batch(day, amount);
INSERT INTO lake.db.sales MERGE STRATEGY snapshot
  SELECT CAST(NULL AS STRING) AS day, 30 AS amount;
SELECT * FROM lake.db.sales ORDER BY day, amount;

-- No row, no change.
INSERT INTO lake.db.sales MERGE STRATEGY snapshot SELECT * FROM lake.db.sales WHERE false;

-- The session's overwrite mode does not matter.
SET spark.sql.sources.partitionOverwriteMode = static;
INSERT INTO lake.db.sales MERGE STRATEGY snapshot SELECT 'mon' AS day, 10 AS amount;
SET spark.sql.sources.partitionOverwriteMode = dynamic;
SELECT * FROM lake.db.sales ORDER BY day, amount;

-- The table need not be partitioned by those columns.
CREATE TABLE lake.db.flat (day STRING, region STRING, amount INT) USING iceberg;
INSERT INTO lake.db.flat VALUES ('mon', 'north', 1), ('mon', 'south', 2), ('tue', 'north', 3), (NULL, 'north', 4);
INSERT INTO lake.db.flat MERGE STRATEGY snapshot PARTITION COLUMNS (day, region)
  SELECT * FROM VALUES ('mon', 'north', 10), (NULL, 'north', 40), ('wed', NULL, 50) AS batch(day, region, amount);
SELECT * FROM lake.db.flat ORDER BY amount;

-- The partition columns are needed, and must be in the source.
INSERT INTO lake.db.flat MERGE STRATEGY snapshot SELECT 'mon' AS day, 'north' AS region, 1 AS amount;
INSERT INTO lake.db.flat MERGE STRATEGY snapshot PARTITION COLUMN day SELECT 'north' AS region, 1 AS amount;
