import { PassThrough, Readable } from "node:stream";
import type { Config } from "#lib/config.ts";
import { recordRun, unended } from "#lib/storage/copies/backup-runs.ts";
import { encryptedTo } from "#lib/storage/copies/encryption.ts";
import type { Place } from "#lib/storage/copies/place.ts";
import { writeArchive } from "#lib/storage/files/archive.ts";
import { measureStream } from "#lib/storage/files/files.ts";
import { secondsInMs } from "#lib/units.ts";
import type { Totals } from "./backup-format.ts";
import { writeContent } from "./backup-content.ts";
import { backupName, backupPlace, backupsIn } from "./backup-place.ts";
import { CommandFailed } from "./command.ts";

type Source = Parameters<typeof writeContent>[1];

/** Makes a backup in BACKUP_TO, removes older ones, and notes how it went for metrics and operators. */
export async function backUpToPlace(settings: Config, stores: Source, signal: AbortSignal): Promise<Totals> {
  const place = await backupPlace(settings);
  const startedAt = new Date();
  const recipients = settings.BACKUP_RECIPIENTS;
  const name = backupName(startedAt, recipients.length > 0);
  const record = (bytes: number, failure?: Error) =>
    recordRun(stores.database, { kind: "backup", started_at: startedAt.toISOString(), name, bytes, failure });
  await record(0, unended);
  const { totals, bytes } = await store(place, { name, recipients, stores, signal }).catch(async (error: Error) => {
    await record(0, error).catch(() => {});
    throw error;
  });
  await record(bytes);
  console.error(`${name} is in ${place.title}.`);
  const after = await Promise.allSettled([ping(settings.BACKUP_PING_URL), removeOld(place, settings.BACKUP_KEEP)]);
  const failed = after.flatMap((one) => (one.status === "rejected" ? [(one.reason as Error).message] : []));
  if (failed.length > 0) throw new CommandFailed(`The backup is stored, but ${failed.join("; ")}.`);
  return totals;
}

type Sending = { name: string; recipients: string[]; stores: Source; signal: AbortSignal };

/** Writes a backup and reads it back. */
async function store(place: Place, { name, recipients, stores, signal }: Sending) {
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  const archive = new PassThrough();
  const measured = measureStream();
  const content = Readable.from(measured.pass(await encryptedTo(recipients, archive)), { objectMode: false });
  const work = [
    writeArchive(archive, { gzip: true, signal: either }, (writer) => writeContent(writer, stores, either)),
    place.write(name, content, either),
  ] as const;
  // What fails first is the cause; the other one waits for it no longer.
  for (const one of work) one.catch((error: unknown) => failure.abort(error));
  await Promise.allSettled(work);
  try {
    either.throwIfAborted();
    const { bytes, sha256 } = measured.result();
    const again = measureStream();
    for await (const _ of again.pass((await place.read(name)) as AsyncIterable<Buffer>)) signal.throwIfAborted();
    if (again.result().sha256 !== sha256)
      throw new CommandFailed(`${name} was read back from ${place.title} with other bytes than were written.`);
    return { totals: await work[0], bytes };
  } catch (error) {
    // It would count among those that are kept. Who interrupts does not wait for it.
    const removal = place.remove(name).catch(() => {});
    if (!signal.aborted) await removal;
    throw error;
  }
}

const pingTimeoutMs = secondsInMs(10);

async function ping(url: string | undefined) {
  if (!url) return;
  const failed = (reason: string) => new Error(`BACKUP_PING_URL could not be requested: ${reason}`);
  const reply = await fetch(url, { signal: AbortSignal.timeout(pingTimeoutMs) }).catch((error: Error) => {
    throw failed(error.message);
  });
  if (!reply.ok) throw failed(`status ${reply.status}`);
}

async function removeOld(place: Place, kept: number) {
  const old = (await backupsIn(place)).slice(kept);
  for (const name of old) {
    await place.remove(name).catch((error: Error) => {
      throw new Error(`${name} could not be removed: ${error.message || error.name}`);
    });
  }
}
