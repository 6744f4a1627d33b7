-- Keys: what may be one, and what is refused.

INSERT INTO lake.db.k MERGE STRATEGY incremental UNIQUE KEY (k) SELECT 1.5D AS k;
INSERT INTO lake.db.k MERGE STRATEGY incremental UNIQUE KEY (k) SELECT map('a', 1) AS k;
INSERT INTO lake.db.k MERGE STRATEGY scd2 UNIQUE KEY (nope) SELECT 1 AS k;
INSERT INTO lake.db.k MERGE STRATEGY delete_insert UNIQUE KEY (k) COLUMNS * EXCEPT (k) SELECT 1 AS k, 2 AS v;

-- A field of a struct, a binary, a decimal and a day together.
INSERT INTO lake.db.mixed MERGE STRATEGY incremental UNIQUE KEY (who.id, b, d, day)
  SELECT named_struct('id', 1, 'name', 'Ann') AS who, X'01' AS b, 1.50 AS d, DATE'2024-05-01' AS day, 'a' AS v;
INSERT INTO lake.db.mixed MERGE STRATEGY incremental
  SELECT named_struct('id', 1, 'name', 'Eve') AS who, X'01' AS b, 1.50 AS d, DATE'2024-05-01' AS day, 'b' AS v;
INSERT INTO lake.db.mixed MERGE STRATEGY incremental
  SELECT named_struct('id', CAST(NULL AS INT), 'name', 'Eve') AS who, X'01' AS b, 1.50 AS d, DATE'2024-05-01' AS day, 'c' AS v;
SELECT who.id, who.name, d, day, v FROM lake.db.mixed;

-- Rows that the table holds with a NULL key are never matched; several of one key are treated alike.
CREATE TABLE lake.db.odd (id INT, v STRING) USING iceberg;
INSERT INTO lake.db.odd VALUES (NULL, 'none'), (1, 'a'), (1, 'b'), (2, 'c');
INSERT INTO lake.db.odd MERGE STRATEGY incremental UNIQUE KEY (id) SELECT 1 AS id, 'z' AS v;
INSERT INTO lake.db.odd MERGE STRATEGY incremental UNIQUE KEY (id) HARD DELETES invalidate SELECT 2 AS id, 'c' AS v;
SELECT * FROM lake.db.odd ORDER BY id;
