-- EXPLAIN shows the settings, the change and the plan against the table as it will be, and changes nothing.

CREATE TABLE lake.db.customers (id INT, name STRING) USING iceberg;

EXPLAIN INSERT INTO lake.db.customers ON SCHEMA CHANGE append_new_columns
  SELECT * FROM VALUES (1, 'ann@example.com') AS batch(id, email);

EXPLAIN INSERT INTO lake.db.customers MERGE STRATEGY full_refresh
  SELECT * FROM VALUES (1, 'Ann') AS batch(id, name);

DESCRIBE TABLE lake.db.customers;
SELECT count(*) AS snapshots FROM lake.db.customers.snapshots;

-- A target that does not exist yet.
EXPLAIN INSERT INTO lake.db.new MERGE STRATEGY append_only SELECT 1 AS id;
SHOW TABLES IN lake.db LIKE 'new';
