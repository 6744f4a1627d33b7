-- fail is the default: any difference is refused before anything is written.

CREATE TABLE lake.db.customers (id INT, name STRING NOT NULL) USING iceberg;

-- A new column.
INSERT INTO lake.db.customers MERGE STRATEGY append_only SELECT 1 AS id, 'Ann' AS name, 'x' AS extra;

-- A missing column.
INSERT INTO lake.db.customers ON SCHEMA CHANGE fail SELECT 1 AS id;

-- Another type.
INSERT INTO lake.db.customers ON SCHEMA CHANGE fail SELECT 'one' AS id, 'Ann' AS name;

-- A missing column that must not be NULL is refused under every policy.
INSERT INTO lake.db.customers ON SCHEMA CHANGE append_new_columns SELECT 1 AS id;

-- What fits is written.
INSERT INTO lake.db.customers ON SCHEMA CHANGE fail SELECT 'Ann' AS name, 1S AS id;
SELECT * FROM lake.db.customers;
