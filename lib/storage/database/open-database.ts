import type { Database, Role } from "./database.ts";
import { openSqlite } from "./sqlite.ts";

type Location = { url?: string; directory: string; role?: Role; isCopied?: boolean };

/**
 * Opens PostgreSQL at `url`, or else SQLite in `directory`, which one server holds at a time; throws `DatabaseInUse`. Of an SQLite file that
 * Litestream copies, `isCopied` leaves checkpoints to it.
 */
export async function openDatabase({ url, directory, role = "server", isCopied }: Location): Promise<Database> {
  if (!url) return openSqlite(directory, role, isCopied);
  return (await import("./postgres.ts")).openPostgres(url);
}
