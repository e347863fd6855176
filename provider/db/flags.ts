import { sql } from "kysely";

/** Of a column that says whether a row is active: written into the statement, as SQLite uses indexes of active rows only where it sees the 1. */
export const TRUE = sql.lit(1);
