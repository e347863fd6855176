import type { Database } from "./database.ts";
import { openSqlite } from "./sqlite.ts";

type Location = {
  url?: string;
  directory: string;
  /** Opens SQLite while the server has it open; rate limits are then this process's own. */
  alongside?: boolean;
  /** Whether SQLite's commits are moved into its file by a thread, for a process that answers requests meanwhile. */
  movesBeside?: boolean;
};

/** Opens PostgreSQL at `url`, or else SQLite in `directory`, which one process holds at a time unless `alongside`. */
export async function openDatabase({ url, directory, ...options }: Location): Promise<Database> {
  if (!url) return openSqlite(directory, options);
  return (await import("./postgres.ts")).openPostgres(url);
}
