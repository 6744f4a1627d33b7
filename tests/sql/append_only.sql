-- append_only adds every row of the source and touches nothing else.

-- The first run makes the table from the query's columns.
INSERT INTO lake.db.events MERGE STRATEGY append_only
  SELECT * FROM VALUES (1, 'open'), (2, 'close') AS batch(id, kind);

-- The same rows again are added again.
INSERT INTO lake.db.events MERGE STRATEGY append_only
  SELECT * FROM VALUES (1, 'open') AS batch(id, kind);

SELECT * FROM lake.db.events ORDER BY id;

-- Columns are matched by name, not by position.
INSERT INTO lake.db.events MERGE STRATEGY append_only SELECT 'named' AS kind, 3 AS id;

-- A column list names the columns of VALUES.
INSERT INTO lake.db.events (kind, id) MERGE STRATEGY append_only VALUES ('listed', 4);

-- Clauses may follow the query, in any letter case.
insert into table lake.db.events select 5 as id, 'after' as kind merge strategy APPEND_ONLY;

-- A WITH list stands before INSERT as well as before SELECT.
WITH batch AS (SELECT 6 AS id, 'with' AS kind) INSERT INTO lake.db.events MERGE STRATEGY append_only TABLE batch;

SELECT * FROM lake.db.events WHERE id > 2 ORDER BY id;

-- No row, no snapshot.
INSERT INTO lake.db.events MERGE STRATEGY append_only SELECT 7 AS id, 'none' AS kind WHERE false;

SELECT operation, summary['lamina.strategy'] AS strategy, summary['added-records'] AS added
  FROM lake.db.events.snapshots ORDER BY committed_at;

-- A run id is used once.
INSERT INTO lake.db.events MERGE STRATEGY append_only RUN ID 'monday' SELECT 8 AS id, 'once' AS kind;
INSERT INTO lake.db.events MERGE STRATEGY append_only RUN ID 'monday' SELECT 8 AS id, 'once' AS kind;
SELECT count(*) AS rows_with_8 FROM lake.db.events WHERE id = 8;
