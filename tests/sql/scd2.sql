-- scd2 keeps history: a change closes the open row of its key and opens a new one.

INSERT INTO lake.db.customers MERGE STRATEGY scd2 UNIQUE KEY (id) CURRENT FLAG is_current
  SELECT * FROM VALUES (1, 'Ann', 'Oslo'), (2, 'Ben', NULL), (3, 'Cleo', 'Rome') AS batch(id, name, city);

-- The same rows again: no snapshot.
INSERT INTO lake.db.customers MERGE STRATEGY scd2
  SELECT * FROM VALUES (1, 'Ann', 'Oslo'), (2, 'Ben', NULL), (3, 'Cleo', 'Rome') AS batch(id, name, city);

-- One changed, one changed from NULL, one is the same, one is new.
INSERT INTO lake.db.customers MERGE STRATEGY scd2
  SELECT * FROM VALUES (1, 'Ann', 'Graz'), (2, 'Ben', 'Bern'), (3, 'Cleo', 'Rome'), (4, 'Dan', 'Kiel') AS batch(id, name, city);
SELECT * FROM lake.db.customers ORDER BY id, valid_from;

-- A new column: a key with a value in it changed, a key without one did not. A column that the source lacks is not
-- compared, and is NULL in a new version.
INSERT INTO lake.db.customers MERGE STRATEGY scd2 ON SCHEMA CHANGE append_new_columns
  SELECT * FROM VALUES (1, 'Ann', 'gold'), (2, 'Ben', NULL) AS batch(id, name, tier);
SELECT * FROM lake.db.customers WHERE id < 3 ORDER BY id, valid_from;

-- DELETE WHEN closes and opens nothing; a key that comes back leaves a gap. A delete of no open row does nothing.
INSERT INTO lake.db.customers MERGE STRATEGY scd2 DELETE WHEN op = 'D' COLUMNS * EXCEPT (op) ON SCHEMA CHANGE ignore
  SELECT * FROM VALUES (3, 'Cleo', 'Rome', 'D'), (9, 'Zoe', 'Nice', 'D') AS batch(id, name, city, op);
INSERT INTO lake.db.customers MERGE STRATEGY scd2 DELETE WHEN op = 'D' COLUMNS * EXCEPT (op) ON SCHEMA CHANGE ignore
  SELECT * FROM VALUES (3, 'Cleo', 'Rome', 'D') AS batch(id, name, city, op);
INSERT INTO lake.db.customers MERGE STRATEGY scd2 ON SCHEMA CHANGE ignore
  SELECT 3 AS id, 'Cleo' AS name, 'Rome' AS city;
SELECT id, city, valid_from, valid_to, is_current FROM lake.db.customers WHERE id = 3 ORDER BY valid_from;

-- HARD DELETES invalidate closes the keys that are absent; an empty source is refused unless it is meant.
INSERT INTO lake.db.customers MERGE STRATEGY scd2 HARD DELETES invalidate ON SCHEMA CHANGE ignore
  SELECT 3 AS id, 'Cleo' AS name, 'Rome' AS city;
INSERT INTO lake.db.customers MERGE STRATEGY scd2 HARD DELETES invalidate ON SCHEMA CHANGE ignore
  SELECT id, name, city FROM lake.db.customers WHERE false;
INSERT INTO lake.db.customers MERGE STRATEGY scd2 HARD DELETES invalidate ALLOW EMPTY SOURCE ON SCHEMA CHANGE ignore
  SELECT id, name, city FROM lake.db.customers WHERE false;
SELECT count(*) AS open FROM lake.db.customers WHERE valid_to IS NULL;

-- TRACK HISTORY: a difference in another column is written to the open row.
INSERT INTO lake.db.users MERGE STRATEGY scd2 UNIQUE KEY (id) TRACK HISTORY ON (city)
  SELECT 1 AS id, 'Oslo' AS city, 10 AS logins;
INSERT INTO lake.db.users MERGE STRATEGY scd2 SELECT 1 AS id, 'Oslo' AS city, 11 AS logins;
INSERT INTO lake.db.users MERGE STRATEGY scd2 SELECT 1 AS id, 'Rome' AS city, 12 AS logins;
INSERT INTO lake.db.users MERGE STRATEGY scd2 TRACK HISTORY ON * EXCEPT (city) SELECT 1 AS id, 'Bern' AS city, 12 AS logins;
SELECT * FROM lake.db.users ORDER BY valid_from;

-- What is refused.
INSERT INTO lake.db.users MERGE STRATEGY scd2
  SELECT * FROM VALUES (1, 'a', 1), (1, 'b', 1) AS batch(id, city, logins);
INSERT INTO lake.db.users MERGE STRATEGY scd2 SELECT 1 AS id, 'a' AS city, 1 AS logins, current_date() AS valid_to;
INSERT INTO lake.db.users MERGE STRATEGY incremental UNIQUE KEY (id) SELECT 1 AS id, 'a' AS city, 1 AS logins;
CREATE TABLE lake.db.plain (id INT, city STRING) USING iceberg;
INSERT INTO lake.db.plain MERGE STRATEGY scd2 UNIQUE KEY (id) SELECT 1 AS id, 'a' AS city;
CREATE TABLE lake.db.two_open (id INT, city STRING, valid_from TIMESTAMP, valid_to TIMESTAMP) USING iceberg;
INSERT INTO lake.db.two_open VALUES
  (1, 'a', TIMESTAMP'2020-01-01', NULL), (1, 'b', TIMESTAMP'2020-01-02', NULL),
  (2, 'c', TIMESTAMP'2020-01-01', NULL);
INSERT INTO lake.db.two_open MERGE STRATEGY scd2 UNIQUE KEY (id)
  SELECT * FROM VALUES (1, 'z'), (2, 'y') AS batch(id, city);
INSERT INTO lake.db.two_open MERGE STRATEGY scd2 UNIQUE KEY (id) SELECT 2 AS id, 'y' AS city;

-- A clock that runs behind: the new row starts after the row that it closes.
CREATE TABLE lake.db.ahead (id INT, city STRING, valid_from TIMESTAMP, valid_to TIMESTAMP) USING iceberg;
INSERT INTO lake.db.ahead VALUES (1, 'a', TIMESTAMP'2999-01-01', NULL);
INSERT INTO lake.db.ahead MERGE STRATEGY scd2 UNIQUE KEY (id) SELECT 1 AS id, 'b' AS city;
SELECT * FROM lake.db.ahead ORDER BY valid_from;
