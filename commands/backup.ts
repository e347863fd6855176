import { createWriteStream, existsSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { writeArchive } from "#storage/archive.ts";
import { addEverything } from "./backup-content.ts";
import { type Command, exactly, Failed, untilInterrupted, WrongUse } from "./command.ts";
import { inPlace, type Place } from "./place.ts";
import { inBytes, inCount } from "./progress.ts";
import { checkBackup } from "./read-backup.ts";

export const backup: Command = {
  takes: "FILE",
  explains: [
    "FILE is the backup, readable to you alone; where its name ends in .gz, it is made smaller.",
    "With - for FILE it goes to standard output; check what arrived with: verify FILE",
  ],
  async run(given) {
    const [file] = exactly(given, "FILE");
    const signal = untilInterrupted();
    await inPlace({ alongside: true }, async (place) => {
      const totals = file === "-" ? await toStandardOutput(place, signal) : await toFile(place, file, signal);
      const rows = Object.values(totals.rows).reduce((sum, count) => sum + count, 0);
      console.error(`Backed up ${inCount(rows)} rows and ${inCount(totals.files)} files (${inBytes(totals.bytes)}).`);
    });
  },
};

async function toStandardOutput(place: Place, signal: AbortSignal) {
  if (process.stdout.isTTY) throw new WrongUse("a backup is not for the eye: send it into a file");
  return writeArchive(process.stdout, { gzip: false, signal }, (archive) => addEverything(archive, place, signal));
}

/** Under another name until it is on the disk and has been read again and found to be right. */
async function toFile(place: Place, file: string, signal: AbortSignal) {
  if (existsSync(file)) throw new Failed(`${file} is there already: choose another name`);
  const part = `${file}.part`;
  await rm(part, { force: true });
  try {
    const to = createWriteStream(part, { mode: 0o600, flush: true });
    const gzip = file.endsWith(".gz");
    const totals = await writeArchive(to, { gzip, signal }, (archive) => addEverything(archive, place, signal));
    await checkBackup(part, "Reading it again", signal);
    await rename(part, file);
    const folder = await open(dirname(file));
    await folder.sync().finally(() => folder.close());
    return totals;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
