-- Statements without Lamina's clauses are Spark's own, and its words are free to use as names.

CREATE TABLE lake.db.strategy (merge INT, schema STRING) USING iceberg;
INSERT INTO lake.db.strategy VALUES (1, 'change');
INSERT INTO lake.db.strategy SELECT merge + 1, schema FROM lake.db.strategy;
SELECT merge, schema AS strategy FROM lake.db.strategy AS merge ORDER BY 1;

-- They are names inside a statement with clauses, too.
INSERT INTO lake.db.strategy MERGE STRATEGY append_only
  SELECT merge.merge + 2 AS merge, 'MERGE STRATEGY scd2' AS schema FROM lake.db.strategy AS merge WHERE merge = 1;
SELECT * FROM lake.db.strategy ORDER BY merge;
