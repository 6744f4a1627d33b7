-- New columns are added at the end, in the same commit as their rows; missing ones stay, and are NULL.

CREATE TABLE lake.db.customers (id INT, name STRING, address STRUCT<city: STRING>) USING iceberg;
INSERT INTO lake.db.customers VALUES (1, 'Ann', named_struct('city', 'Oslo'));

INSERT INTO lake.db.customers ON SCHEMA CHANGE append_new_columns
  SELECT 2 AS id, 'Ben' AS name, named_struct('city', 'Graz') AS address, 'ben@example.com' AS email, 7 AS `odd name`;

INSERT INTO lake.db.customers ON SCHEMA CHANGE append_new_columns SELECT 3 AS id;

-- A field of a struct is a column like any other.
INSERT INTO lake.db.customers ON SCHEMA CHANGE append_new_columns
  SELECT 4 AS id, named_struct('city', 'Rome', 'zip', '00184') AS address;

SELECT * FROM lake.db.customers ORDER BY id;

-- One metadata file and one snapshot for each statement.
SELECT count(*) AS snapshots FROM lake.db.customers.snapshots;
SELECT count(*) AS metadata_files FROM lake.db.customers.metadata_log_entries;

-- A wider type is refused.
INSERT INTO lake.db.customers ON SCHEMA CHANGE append_new_columns SELECT 5000000000 AS id;
