import type { Database, Role } from "./database.ts";
import { openSqlite } from "./sqlite.ts";

type Location = { url?: string; directory: string; role?: Role };

/** Opens PostgreSQL at `url`, or else SQLite in `directory`, which one server holds at a time; throws `DatabaseInUse`. */
export async function openDatabase({ url, directory, role = "server" }: Location): Promise<Database> {
  if (!url) return openSqlite(directory, role);
  return (await import("./postgres.ts")).openPostgres(url);
}
