-- ignore leaves new columns out, and says so.

CREATE TABLE lake.db.customers (id INT, name STRING) USING iceberg;
INSERT INTO lake.db.customers ON SCHEMA CHANGE ignore SELECT 1 AS id, 'Ann' AS name, 'x' AS extra;
INSERT INTO lake.db.customers ON SCHEMA CHANGE ignore SELECT 2 AS id;
SELECT * FROM lake.db.customers ORDER BY id;

-- A wider type is refused.
INSERT INTO lake.db.customers ON SCHEMA CHANGE ignore SELECT 5000000000 AS id;
