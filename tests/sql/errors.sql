-- What is refused, and how it is said. Nothing is written by any of these.

CREATE TABLE lake.db.t (id INT) USING iceberg;

INSERT INTO lake.db.t MERGE STRATEGY upsert SELECT 1 AS id;
INSERT INTO lake.db.t ON SCHEMA CHANGE whatever SELECT 1 AS id;
INSERT INTO lake.db.t MERGE STRATEGY append_only UNIQUE KEY (id) SELECT 1 AS id;
INSERT INTO lake.db.t MERGE STRATEGY append_only RUN ID 'a' RUN ID 'b' SELECT 1 AS id;
INSERT INTO lake.db.t MERGE STRATEGY append_only COLUMNS * EXCEPT (nope) SELECT 1 AS id;
INSERT INTO lake.nowhere.t MERGE STRATEGY append_only SELECT 1 AS id;
INSERT INTO lake.db.missing ON SCHEMA CHANGE append_new_columns SELECT 1 AS id;
INSERT INTO lake.db.t MERGE STRATEGY SELECT 1 AS id;
INSERT INTO lake.db.t MERGE STRATEGY append_only SELECT no_such_column FROM lake.db.t;

SELECT count(*) AS snapshots FROM lake.db.t.snapshots;
