-- delete_insert: the table's rows whose key is in the source go, every row of the source is added.

INSERT INTO lake.db.lines MERGE STRATEGY delete_insert UNIQUE KEY (order_id)
  SELECT * FROM VALUES (1, 'bolt', 2), (1, 'nut', 4), (2, 'gear', 1) AS batch(order_id, item, amount);

-- Duplicates are rows like others. A key that was not there is simply added.
INSERT INTO lake.db.lines MERGE STRATEGY delete_insert
  SELECT * FROM VALUES (1, 'pin', 1), (1, 'pin', 1), (3, 'cap', 9) AS batch(order_id, item, amount);
SELECT * FROM lake.db.lines ORDER BY order_id, item;

-- A column that the source lacks is NULL in the new rows; others keep theirs.
INSERT INTO lake.db.lines MERGE STRATEGY delete_insert ON SCHEMA CHANGE append_new_columns
  SELECT * FROM VALUES (3, 'cap', 'blue') AS batch(order_id, item, colour);
SELECT * FROM lake.db.lines ORDER BY order_id, item;

-- It replaces, also by equal rows; without a row it does nothing.
INSERT INTO lake.db.lines MERGE STRATEGY delete_insert
  SELECT * FROM lake.db.lines WHERE order_id = 2;
INSERT INTO lake.db.lines MERGE STRATEGY delete_insert
  SELECT * FROM lake.db.lines WHERE false;

-- A NULL in any column of the key is refused.
INSERT INTO lake.db.lines MERGE STRATEGY delete_insert UNIQUE KEY (order_id, item)
  SELECT * FROM VALUES (1, NULL, 1, 'red'), (2, 'gear', 1, NULL) AS batch(order_id, item, amount, colour);

-- A key of several columns.
INSERT INTO lake.db.lines MERGE STRATEGY delete_insert UNIQUE KEY (order_id, item)
  SELECT * FROM VALUES (1, 'pin', 5, 'red') AS batch(order_id, item, amount, colour);
SELECT * FROM lake.db.lines ORDER BY order_id, item;
