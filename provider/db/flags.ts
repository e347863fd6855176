import { sql } from "kysely";

/** SQL's 1 for a column such as `active`, written into the statement, as SQLite uses indexes of active rows only if it sees the 1. */
export const TRUE = sql.lit(1);
