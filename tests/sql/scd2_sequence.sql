-- scd2 with SEQUENCE BY: every value of the sequence is an event at its place in history, whenever it arrives.

INSERT INTO lake.db.customers MERGE STRATEGY scd2 UNIQUE KEY (id) SEQUENCE BY at DELETE WHEN op = 'D' COLUMNS * EXCEPT (op)
  SELECT * FROM VALUES (1, 'Oslo', 10, 'U'), (1, 'Rome', 30, 'U'), (2, 'Bern', 10, 'U') AS batch(id, city, at, op);

-- The same again, and identical rows: nothing new.
INSERT INTO lake.db.customers MERGE STRATEGY scd2
  SELECT * FROM VALUES (1, 'Rome', 30, 'U'), (1, 'Rome', 30, 'U'), (2, 'Bern', 10, 'U') AS batch(id, city, at, op);

-- A late row goes to its place; a late delete leaves a gap.
INSERT INTO lake.db.customers MERGE STRATEGY scd2
  SELECT * FROM VALUES (1, 'Graz', 20, 'U'), (1, NULL, 25, 'D'), (2, NULL, 40, 'D') AS batch(id, city, at, op);
SELECT * FROM lake.db.customers ORDER BY id, valid_from;

-- A delete that comes before what it ends is kept as an empty interval, and counts once the row arrives.
INSERT INTO lake.db.customers MERGE STRATEGY scd2
  SELECT 3 AS id, CAST(NULL AS STRING) AS city, 50 AS at, 'D' AS op;
SELECT * FROM lake.db.customers WHERE id = 3;
INSERT INTO lake.db.customers MERGE STRATEGY scd2
  SELECT 3 AS id, 'Nice' AS city, 45 AS at, 'U' AS op;
SELECT * FROM lake.db.customers WHERE id = 3;

-- Another row of the same key and moment is a contradiction, in the batch and in the table.
INSERT INTO lake.db.customers MERGE STRATEGY scd2
  SELECT * FROM VALUES (4, 'a', 1, 'U'), (4, 'b', 1, 'U') AS batch(id, city, at, op);
INSERT INTO lake.db.customers MERGE STRATEGY scd2
  SELECT 1 AS id, 'Kiel' AS city, 10 AS at, 'U' AS op;

-- A moment that is NULL has no place.
INSERT INTO lake.db.customers MERGE STRATEGY scd2
  SELECT 1 AS id, 'Kiel' AS city, CAST(NULL AS INT) AS at, 'U' AS op;

-- Without the sequence among the tracked columns, equal neighbours are one version, which a late row splits.
INSERT INTO lake.db.prices MERGE STRATEGY scd2 UNIQUE KEY (id) SEQUENCE BY at TRACK HISTORY ON (price)
  SELECT * FROM VALUES (1, 5, 10), (1, 5, 20), (1, 5, 30), (1, 6, 40) AS batch(id, price, at);
SELECT * FROM lake.db.prices ORDER BY valid_from;
INSERT INTO lake.db.prices MERGE STRATEGY scd2 SELECT 1 AS id, 7 AS price, 15 AS at;
SELECT * FROM lake.db.prices ORDER BY valid_from;

-- Not together with HARD DELETES: an absent key has no place in the sequence. Two open rows of a key are refused.
INSERT INTO lake.db.prices MERGE STRATEGY scd2 HARD DELETES invalidate SELECT 1 AS id, 7 AS price, 50 AS at;
CREATE TABLE lake.db.two_open (id INT, price INT, at INT, valid_from INT, valid_to INT) USING iceberg;
INSERT INTO lake.db.two_open VALUES (1, 1, 10, 10, NULL), (1, 2, 10, 10, NULL), (2, 1, 10, 10, NULL);
INSERT INTO lake.db.two_open MERGE STRATEGY scd2 UNIQUE KEY (id) SEQUENCE BY at
  SELECT * FROM VALUES (1, 3, 20), (2, 3, 20) AS batch(id, price, at);
INSERT INTO lake.db.two_open MERGE STRATEGY scd2 UNIQUE KEY (id) SEQUENCE BY at SELECT 2 AS id, 3 AS price, 20 AS at;

-- The types of the sequence.
INSERT INTO lake.db.by_text MERGE STRATEGY scd2 UNIQUE KEY (id) SEQUENCE BY at SELECT 1 AS id, '2024' AS at;
INSERT INTO lake.db.by_day MERGE STRATEGY scd2 UNIQUE KEY (id) SEQUENCE BY at SELECT 1 AS id, DATE'2024-05-01' AS at;
SELECT * FROM lake.db.by_day;
INSERT INTO lake.db.by_day MERGE STRATEGY scd2 SELECT 1 AS id, TIMESTAMP'2024-05-01' AS at;
