import { type Kysely, sql } from "kysely";
import { isPostgres } from "./dialect.ts";

/** Parts of `insert into table (list) select values from rows`, the same statement for any number of rows. */
export function jsonRows(db: Kysely<any>, columns: Record<string, "integer" | "text">, rows: object[]) {
  const names = Object.keys(columns);
  const json = JSON.stringify(rows);
  const list = sql.join(names.map((name) => sql.ref(name)));
  if (isPostgres(db)) {
    const types = sql.join(Object.entries(columns).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`));
    return { list, values: list, rows: sql`json_to_recordset(${json}::json) as given(${types})` };
  }
  const values = sql.join(names.map((name) => sql`value ->> ${sql.lit(name)}`));
  return { list, values, rows: sql`json_each(${json})` };
}
