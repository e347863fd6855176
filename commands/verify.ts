import { createHash } from "node:crypto";
import { appliedMigrations } from "#lib/storage/database/migrate.ts";
import type { Files } from "#lib/storage/files/files.ts";
import { brokenReferences, listTables } from "#lib/storage/database/rows.ts";
import type { ReferencedFile } from "#provider/files/referenced-files.ts";
import { type Command, requireArguments, CommandFailed, interruptSignal } from "./command.ts";
import { withStores, type Stores } from "./stores.ts";
import { formatBytes, formatCount, printFirst, startProgress } from "./progress.ts";
import { backupSource, checkBackup, identityHelp, identityOption } from "./read-backup.ts";
import { participantsOf, type Participant } from "./participants.ts";

export const verify: Command = {
  usage: "[FILE [--identity FILE] | --repair]",
  help: [
    "The first hundred faults are a line each, and the exit code is then 1. A file without a record is harmless and only noted.",
    "With FILE it checks that backup instead: newest is the newest in BACKUP_TO, to:NAME the one of this name there.",
    identityHelp,
    "--repair recounts what is derived from other rows and says what it mended; servers write nothing meanwhile.",
  ],
  options: { repair: { type: "boolean" }, ...identityOption },
  async run(args) {
    const signal = interruptSignal();
    const isRepair = args.values.repair === true;
    if (isRepair || args.positionals.length === 0) {
      requireArguments(args);
      return withStores({ alongside: true }, (stores) => verifyStores(stores, signal, isRepair));
    }
    const [file] = requireArguments(args, "FILE");
    const source = await backupSource(file, args.values.identity as string | undefined);
    await checkBackup(source, "Checking", signal);
    console.log("The backup is complete and unchanged.");
    return 0;
  },
};

/** Prints a line for each fault; returns 1 if there is one, else 0. */
export async function verifyStores({ database, files }: Stores, signal: AbortSignal, isRepair = false): Promise<0 | 1> {
  const db = database.tables<any>();
  const tables = await listTables(db);
  const steps = await appliedMigrations(
    db,
    tables.map(({ name }) => name),
  );
  const participants = participantsOf(steps, "The database");
  if (participants.length === 0) throw new CommandFailed("There is nothing to verify: the database is empty.");
  const isOld = participants.some(
    (participant, n) => Object.keys(participant.migrations).length > Object.values(steps)[n]!.length,
  );
  if (isOld)
    throw new CommandFailed(
      "The tables are of an older version: run migrate, or start the server, which migrates them.",
    );

  let faults = 0;
  const print = printFirst("Faults");
  const report = (fault: string) => {
    signal.throwIfAborted();
    faults++;
    print(`fault: ${fault}`);
  };
  for (const fault of await database.integrityErrors()) report(`the database itself: ${fault}`);
  for (const table of tables) {
    for (const { reference, rows } of await brokenReferences(db, table)) {
      const [count, column] = [formatCount(rows), reference.columns.join(", ")];
      report(`${table.name}: ${count} rows reference missing ${reference.table} by ${column}`);
    }
  }
  for (const participant of participants) {
    const faultsNow = () => Array.fromAsync(participant.faults?.(db) ?? []);
    let lines = await faultsNow();
    if (isRepair && lines.length > 0) {
      await participant.repair?.(db);
      const remaining = await faultsNow();
      for (const fault of lines.filter((line) => !remaining.includes(line))) console.log(`mended: ${fault}`);
      lines = remaining;
    }
    for (const fault of lines) report(fault);
  }
  const checked = await verifyFiles({ database, files }, participants, report);
  const orphans = await reportOrphans({ database, files }, participants, signal);
  const summary = `${formatCount(checked.files)} files (${formatBytes(checked.bytes)}) read`;
  console.log(
    `${faults === 0 ? "No fault" : `Faults: ${formatCount(faults)}`}. ${summary}, ${formatCount(orphans)} without a record.`,
  );
  return faults === 0 ? 0 : 1;
}

async function verifyFiles({ database, files }: Stores, participants: Participant[], report: (fault: string) => void) {
  const db = database.tables<any>();
  const checked = { files: 0, bytes: 0 };
  let expected = 0;
  for (const participant of participants) expected += (await participant.neededBytes?.(db)) ?? 0;
  const progress = startProgress("Files", expected, formatBytes);
  try {
    for (const participant of participants) {
      for await (const needed of participant.neededFiles?.(db) ?? []) {
        const { bytes, fault } = await readFile(files, needed);
        checked.files++;
        checked.bytes += bytes;
        progress.add(needed.bytes ?? 0);
        // The reference may have been removed in between, and its file with it.
        const isFault = fault && (!needed.isOptional || (await participant.isNeeded?.(db, needed.key)));
        if (isFault) report(`${needed.of} ${fault}: ${needed.key}`);
      }
    }
  } finally {
    progress.stop();
  }
  return checked;
}

/** Reads a file and compares it with its record. */
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
    return isRight ? { bytes } : { bytes, fault: "differs from its record by its SHA-256" };
  } catch (error) {
    const isThere = await files.exists(key);
    return { bytes: 0, fault: isThere ? `can’t be read (${(error as Error).message})` : "is missing" };
  }
}

const batchSize = 500;

/** Notes files without a record: some may be about to get one, others await the daily sweep. */
async function reportOrphans({ database, files }: Stores, participants: Participant[], signal: AbortSignal) {
  const db = database.tables<any>();
  const referencedBelow = Object.assign(
    {},
    ...participants.map((participant) => participant.referencedBelow),
  ) as NonNullable<Participant["referencedBelow"]>;
  let [batch, orphans] = [new Set<string>(), 0];
  const print = printFirst("Files without a record");
  async function checkBatch() {
    const referenced = new Set<string | null>();
    for (const [prefix, referencedOf] of Object.entries(referencedBelow)) {
      const below = [...batch].filter((owner) => owner.startsWith(`${prefix}/`));
      if (below.length > 0) for (const key of await referencedOf(db, below)) referenced.add(key);
    }
    for (const owner of batch) {
      if (referenced.has(owner)) continue;
      orphans++;
      print(`note: no record references ${owner}`);
    }
    batch = new Set();
  }
  for await (const key of files.keys()) {
    signal.throwIfAborted();
    batch.add(key.split("/", 2).join("/"));
    if (batch.size === batchSize) await checkBatch();
  }
  await checkBatch();
  return orphans;
}
