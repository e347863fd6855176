import { type SelectQueryBuilder, sql, type Transaction } from "kysely";

/** The rows of a query on PostgreSQL, `size` at a time. The transaction can run no other query until the last is read. */
export async function* readByCursor<Row>(
  transaction: Transaction<any>,
  query: SelectQueryBuilder<any, any, Row>,
  size: number,
): AsyncGenerator<Row[]> {
  await sql`declare rows_read no scroll cursor for ${query}`.execute(transaction);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(size)} from rows_read`.execute(transaction);
    if (rows.length > 0) yield rows;
    if (rows.length < size) break;
  }
  await sql`close rows_read`.execute(transaction);
}
