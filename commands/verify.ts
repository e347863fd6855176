import { createHash } from "node:crypto";
import { appliedMigrations } from "#storage/migrate.ts";
import type { Files } from "#storage/files.ts";
import { brokenReferences, listTables } from "#storage/rows.ts";
import type { ReferencedFile } from "#provider/files/referenced-files.ts";
import { type Command, exactly, Failed, untilInterrupted } from "./command.ts";
import { inPlace, type Place } from "./place.ts";
import { inBytes, inCount, startProgress } from "./progress.ts";
import { checkBackup } from "./read-backup.ts";
import { knownRooms, type Room } from "./rooms.ts";

export const verify: Command = {
  takes: "[FILE]",
  explains: [
    "Each fault is a line, and the code is 1 where there is one. A file that no record has is a note: it does no harm.",
    "With FILE it checks that backup instead.",
  ],
  async run(given) {
    const signal = untilInterrupted();
    if (given.names.length === 0) return inPlace({ alongside: true }, (place) => verifyPlace(place, signal));
    const [file] = exactly(given, "FILE");
    await checkBackup(file, "Checking", signal);
    console.log("The backup is whole.");
    return 0;
  },
};

/** Tells every fault in a line and returns 1 if there is any, else 0. */
export async function verifyPlace({ database, files }: Place, signal: AbortSignal): Promise<0 | 1> {
  const db = database.tables<any>();
  const tables = await listTables(db);
  const steps = await appliedMigrations(
    db,
    tables.map(({ name }) => name),
  );
  const rooms = knownRooms(steps, "The database");
  if (rooms.length === 0) throw new Failed("There is nothing to verify: the database is empty.");
  const isOld = rooms.some((room, n) => Object.keys(room.migrations).length > Object.values(steps)[n]!.length);
  if (isOld) throw new Failed("The tables are those of an older version: start the server, which renews them.");

  let faults = 0;
  const tell = (fault: string) => {
    signal.throwIfAborted();
    faults++;
    console.log(`fault: ${fault}`);
  };
  for (const fault of await database.integrityErrors()) tell(`the database itself: ${fault}`);
  for (const table of tables) {
    for (const { reference, rows } of await brokenReferences(db, table)) {
      const [count, column] = [inCount(rows), reference.columns.join(", ")];
      tell(`${table.name}: ${count} rows name in ${column} one of the ${reference.table} that is not there`);
    }
  }
  for (const room of rooms) for await (const fault of room.faults?.(db) ?? []) tell(fault);
  const checked = await verifyFiles({ database, files }, rooms, tell);
  const orphans = await noteOrphans({ database, files }, rooms, signal);
  const read = `${inCount(checked.files)} files (${inBytes(checked.bytes)}) read`;
  console.log(
    `${faults === 0 ? "No fault" : `Faults: ${inCount(faults)}`}. ${read}, ${inCount(orphans)} without a record.`,
  );
  return faults === 0 ? 0 : 1;
}

async function verifyFiles({ database, files }: Place, rooms: Room[], tell: (fault: string) => void) {
  const db = database.tables<any>();
  const checked = { files: 0, bytes: 0 };
  let expected = 0;
  for (const room of rooms) expected += (await room.neededBytes?.(db)) ?? 0;
  const progress = startProgress("Files", expected, inBytes);
  try {
    for (const room of rooms) {
      for await (const needed of room.neededFiles?.(db) ?? []) {
        const { bytes, fault } = await readFile(files, needed);
        checked.files++;
        checked.bytes += bytes;
        progress.add(needed.bytes ?? 0);
        // What was let go of since its record was read is right to be gone.
        const isFault = fault && (!needed.isOptional || (await room.isNeeded?.(db, needed.key)));
        if (isFault) tell(`${needed.of} ${fault}: ${needed.key}`);
      }
    }
  } finally {
    progress.stop();
  }
  return checked;
}

/** Reads a file as far as its record tells what must be in it. */
async function readFile(
  files: Files,
  { key, ...recorded }: ReferencedFile,
): Promise<{ bytes: number; fault?: string }> {
  try {
    const bytes = await files.size(key);
    if (recorded.bytes !== undefined && bytes !== recorded.bytes) {
      return { bytes, fault: `has ${bytes} bytes instead of ${recorded.bytes}` };
    }
    if (!recorded.sha256) return { bytes };
    const hash = createHash("sha256");
    for await (const chunk of await files.stream(key)) hash.update(chunk);
    const isRight = hash.digest("hex") === recorded.sha256;
    return isRight ? { bytes } : { bytes, fault: "is not what was uploaded, by its SHA-256" };
  } catch (error) {
    const isThere = await files.exists(key);
    return { bytes: 0, fault: isThere ? `can’t be read (${(error as Error).message})` : "is missing" };
  }
}

const atOnce = 500;

/** Tells of files that no record has. Some may be on their way to one; the rest is removed by the daily sweep. */
async function noteOrphans({ database, files }: Place, rooms: Room[], signal: AbortSignal) {
  const db = database.tables<any>();
  const keptBelow = Object.assign({}, ...rooms.map((room) => room.keptBelow)) as NonNullable<Room["keptBelow"]>;
  let [some, orphans] = [new Set<string>(), 0];
  async function ask() {
    const kept = new Set<string | null>();
    for (const [prefix, keptOf] of Object.entries(keptBelow)) {
      const below = [...some].filter((owner) => owner.startsWith(`${prefix}/`));
      if (below.length > 0) for (const key of await keptOf(db, below)) kept.add(key);
    }
    for (const owner of some) {
      if (kept.has(owner)) continue;
      orphans++;
      console.log(`note: no record has ${owner}`);
    }
    some = new Set();
  }
  for await (const key of files.keys()) {
    signal.throwIfAborted();
    some.add(key.split("/", 2).join("/"));
    if (some.size === atOnce) await ask();
  }
  await ask();
  return orphans;
}
