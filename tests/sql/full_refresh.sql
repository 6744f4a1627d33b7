-- full_refresh replaces every row in one commit; the table itself stays the same.

CREATE TABLE lake.db.prices (id INT, price DECIMAL(9, 2), day DATE) USING iceberg
  PARTITIONED BY (day) TBLPROPERTIES ('owner.team' = 'sales');
INSERT INTO lake.db.prices VALUES (1, 1.50, DATE'2024-05-01'), (2, 2.50, DATE'2024-05-02');

INSERT INTO lake.db.prices MERGE STRATEGY full_refresh
  SELECT 3 AS id, CAST(3.5 AS DECIMAL(9, 2)) AS price, DATE'2024-05-03' AS day;
SELECT * FROM lake.db.prices;

-- Partitioning and properties are kept.
SELECT partition.day FROM lake.db.prices.partitions;
SHOW TBLPROPERTIES lake.db.prices ('owner.team');

-- The older rows are still there to read.
SELECT operation, summary['total-records'] AS rows_then FROM lake.db.prices.snapshots ORDER BY committed_at;

-- An empty source empties the table.
INSERT INTO lake.db.prices MERGE STRATEGY full_refresh SELECT * FROM lake.db.prices WHERE false;
SELECT count(*) AS left FROM lake.db.prices;
