-- incremental is an upsert on the key.

INSERT INTO lake.db.stock MERGE STRATEGY incremental UNIQUE KEY (item)
  SELECT * FROM VALUES ('bolt', 5, 'A'), ('nut', 7, 'B'), ('pin', NULL, NULL) AS batch(item, amount, shelf);

-- The same rows again: no snapshot.
INSERT INTO lake.db.stock MERGE STRATEGY incremental
  SELECT * FROM VALUES ('bolt', 5, 'A'), ('nut', 7, 'B'), ('pin', NULL, NULL) AS batch(item, amount, shelf);

-- Only the row that differs is updated; a new key is inserted; NULL is a value like another.
INSERT INTO lake.db.stock MERGE STRATEGY incremental
  SELECT * FROM VALUES ('bolt', 5, 'A'), ('nut', NULL, 'B'), ('gear', 1, 'C') AS batch(item, amount, shelf);
SELECT * FROM lake.db.stock ORDER BY item;

-- Columns that the source lacks keep their value, and are NULL in a new row.
INSERT INTO lake.db.stock MERGE STRATEGY incremental ON SCHEMA CHANGE append_new_columns
  SELECT * FROM VALUES ('bolt', 50, 'red'), ('cap', 2, 'blue') AS batch(item, amount, colour);
SELECT * FROM lake.db.stock ORDER BY item;

-- Identical rows collapse; different rows of one key need something that tells which counts.
INSERT INTO lake.db.stock MERGE STRATEGY incremental ON SCHEMA CHANGE ignore
  SELECT * FROM VALUES ('bolt', 51), ('bolt', 51) AS batch(item, amount);
INSERT INTO lake.db.stock MERGE STRATEGY incremental ON SCHEMA CHANGE ignore
  SELECT * FROM VALUES ('bolt', 52), ('bolt', 53), ('nut', 1) AS batch(item, amount);

-- A NULL in the key is refused.
INSERT INTO lake.db.stock MERGE STRATEGY incremental ON SCHEMA CHANGE ignore
  SELECT * FROM VALUES ('bolt', 52), (NULL, 53) AS batch(item, amount);

-- WATERMARK: the latest row wins, and an older one than the table's does nothing. NULL is older than everything.
INSERT INTO lake.db.orders MERGE STRATEGY incremental UNIQUE KEY (id) WATERMARK seen
  SELECT * FROM VALUES (1, 'new', 10), (1, 'paid', 20), (2, 'new', NULL), (3, 'new', 5) AS batch(id, state, seen);
INSERT INTO lake.db.orders MERGE STRATEGY incremental
  SELECT * FROM VALUES (1, 'late', 15), (2, 'paid', 1), (3, 'same', 5), (4, 'new', NULL) AS batch(id, state, seen);
INSERT INTO lake.db.orders MERGE STRATEGY incremental
  SELECT * FROM VALUES (1, 'late', NULL), (1, 'sent', 20), (1, 'sent', 20) AS batch(id, state, seen);
SELECT * FROM lake.db.orders ORDER BY id;
INSERT INTO lake.db.orders MERGE STRATEGY incremental
  SELECT * FROM VALUES (1, 'a', 30), (1, 'b', 30) AS batch(id, state, seen);

-- DELETE WHEN: the winning row decides, older deletes and those of absent keys do nothing.
INSERT INTO lake.db.orders MERGE STRATEGY incremental DELETE WHEN op = 'D' COLUMNS * EXCEPT (op)
  SELECT * FROM VALUES
    (1, 'gone', 40, 'U'), (1, 'gone', 50, 'D'),
    (2, 'kept', 60, 'D'), (2, 'kept', 70, NULL),
    (3, 'old', 4, 'D'),
    (9, 'never there', 1, 'D') AS batch(id, state, seen, op);
SELECT * FROM lake.db.orders ORDER BY id;

-- HARD DELETES invalidate: the source is the whole state. An empty one is refused unless it is meant.
INSERT INTO lake.db.orders MERGE STRATEGY incremental HARD DELETES invalidate
  SELECT 2 AS id, 'kept' AS state, 70 AS seen;
INSERT INTO lake.db.orders MERGE STRATEGY incremental HARD DELETES invalidate
  SELECT * FROM lake.db.orders WHERE false;
INSERT INTO lake.db.orders MERGE STRATEGY incremental HARD DELETES invalidate ALLOW EMPTY SOURCE
  SELECT * FROM lake.db.orders WHERE false;
SELECT count(*) AS left FROM lake.db.orders;

SELECT operation, summary['lamina.rows-inserted'] AS inserted, summary['lamina.rows-updated'] AS updated,
       summary['lamina.rows-deleted'] AS deleted
  FROM lake.db.orders.snapshots ORDER BY committed_at;
