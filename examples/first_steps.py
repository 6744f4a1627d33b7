"""A data frame whose columns keep changing, written into one table: ``python examples/first_steps.py``."""

import lamina

TABLE = "lake.first_steps.orders"

spark = lamina.local_session("./lake")
spark.sql("CREATE NAMESPACE IF NOT EXISTS lake.first_steps")
spark.sql(f"DROP TABLE IF EXISTS {TABLE}")

monday = spark.sql("SELECT * FROM VALUES (1, 'open'), (2, 'open') AS monday(id, state)")
result = lamina.write(monday, TABLE, strategy="append_only")
print(f"monday: {result.status}, {result.rows_inserted} rows")

tuesday = spark.sql("SELECT 3 AS id, 'open' AS state, DATE'2024-05-07' AS due")
plan = lamina.plan(tuesday, TABLE, on_schema_change="append_new_columns")
print(f"tuesday would run: {plan.alter_statement}")

result = lamina.write(tuesday, TABLE, on_schema_change="append_new_columns")
print(f"tuesday: {result.status}, columns added: {', '.join(result.columns_added)}")

try:
    lamina.write(spark.sql("SELECT 'four' AS id, 'open' AS state"), TABLE, on_schema_change="ignore")
except lamina.errors.StatementError as error:
    print(f"wednesday: {error.condition}")

spark.table(TABLE).orderBy("id").show()
