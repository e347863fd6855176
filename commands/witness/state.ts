import Sqlite from "better-sqlite3";
import type { Seen, WitnessState } from "#lib/log/add-checkpoint.ts";

/** The state of a witness in a file of SQLite: whole after a power cut, and one change at a time whoever else has it open. */
export function openState(file: string): WitnessState & { close(): void } {
  const sqlite = new Sqlite(file);
  sqlite.pragma("synchronous = FULL");
  sqlite.exec(
    "create table if not exists latest (origin text primary key, size integer not null, root blob not null, note text not null)",
  );
  const read = sqlite.prepare<[string], Seen>("select origin, size, root, note from latest where origin = ?");
  const write = sqlite.prepare<[Seen]>("insert or replace into latest values (@origin, @size, @root, @note)");
  const change = sqlite.transaction<WitnessState["change"]>((origin, decide) => {
    const next = decide(read.get(origin));
    if (next) write.run(next);
  });
  return { change: change.immediate, close: () => sqlite.close() };
}
