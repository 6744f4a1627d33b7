-- A table whose source keeps changing. Any session with Lamina and a catalog named lake runs this:
--   lamina sql -f examples/first-steps.sql          on an embedded lake, in the folder ./lake
--   spark-sql -f examples/first-steps.sql           with the settings that docs/install.md tells

CREATE NAMESPACE IF NOT EXISTS lake.first_steps;
DROP TABLE IF EXISTS lake.first_steps.customers;

-- There is no table: the first run makes it from the query's columns.
INSERT INTO lake.first_steps.customers
  MERGE STRATEGY append_only
  SELECT * FROM VALUES (1, 'Ann'), (2, 'Ben') AS monday(id, name);

-- What would the next statement do? EXPLAIN changes nothing.
EXPLAIN INSERT INTO lake.first_steps.customers
  ON SCHEMA CHANGE append_new_columns
  SELECT 3 AS id, 'Cleo' AS name, 'Rome' AS city;

-- A new column and its row, in one commit.
INSERT INTO lake.first_steps.customers
  ON SCHEMA CHANGE append_new_columns
  SELECT 3 AS id, 'Cleo' AS name, 'Rome' AS city;

-- The source forgot the name: the table keeps the column, the new row has NULL there.
INSERT INTO lake.first_steps.customers
  ON SCHEMA CHANGE append_new_columns
  SELECT 4 AS id, 'Bern' AS city;

-- Started twice by accident: the run id lets only the first one in.
INSERT INTO lake.first_steps.customers
  MERGE STRATEGY append_only RUN ID 'friday'
  SELECT 5 AS id, 'Eve' AS name, 'Oslo' AS city;
INSERT INTO lake.first_steps.customers
  MERGE STRATEGY append_only RUN ID 'friday'
  SELECT 5 AS id, 'Eve' AS name, 'Oslo' AS city;

SELECT * FROM lake.first_steps.customers ORDER BY id;
