import { Readable } from "node:stream";
import { randomUUID } from "node:crypto";
import { signCheckpoint } from "#lib/log/checkpoints.ts";
import { bundleOf, newTiles, type Tile, tileLevels, tileOfHashes, tilePath, tileWidth } from "#lib/log/tiles.ts";
import { rootOf } from "#lib/log/tree.ts";
import { writeFile } from "node:fs/promises";
import type { Files } from "#lib/storage/files/files.ts";
import type { Services } from "../services.ts";
import { SealKeysLocked } from "../seal/keys/stored-keys.ts";
import { numberEntries, sizeOf } from "./number.ts";
import { endOrigin, type Origin, originSigner } from "./origins.ts";
import { activeOrigin, checkpointFile, storedCheckpoint } from "./begin.ts";
import { entriesFrom, logFile, treeOf } from "./tree.ts";

/** Entries that one checkpoint adds at most, so that a run that is ended has not worked in vain. */
const stepSize = 65_536;
const keptCheckpoints = 100;
/** A store takes far longer to confirm a file than to receive it. */
const filesAtOnce = 16;

/** Numbers what was entered, writes the tiles that have it, and signs a checkpoint. */
export async function publishLog(services: Services, signal: AbortSignal): Promise<void> {
  const { log } = services;
  const origin = await activeOrigin(services);
  const published = await publishedSize(services, origin);
  if (published === undefined) return publishLog(services, signal);
  const size = await numberEntries(services, signal);
  try {
    for (let at = published; at < size && !signal.aborted;) {
      const next = Math.min(size, at + stepSize);
      await publishTo(services, origin, { at, size: next });
      at = next;
    }
  } catch (error) {
    if (!(error instanceof SealKeysLocked)) throw error;
    log.error(
      { log: origin.name },
      "the log's key is encrypted with another SEAL_SECRET: add that one to the list, or begin a new log with: after-restore",
    );
  }
}

/** Up to where the store has the database's tree; undefined once the log goes on under a new name. */
async function publishedSize(services: Services, origin: Origin): Promise<number | undefined> {
  const { db, files, log, now } = services;
  const stored = await storedCheckpoint(files, origin);
  if (!stored) return 0;
  const size = await sizeOf(db);
  const rootWith = (published: number) =>
    rootOf(stored.size, treeOf(services, origin, published).hashesAt(stored.size));
  if (stored.size <= size) {
    if (stored.root.equals(await rootWith(stored.size))) return stored.size;
    if (stored.root.equals(await rootWith(0))) {
      log.error({ log: origin.name }, "tiles of the log in the file store were changed, writing them again");
      return 0;
    }
  }
  await endOrigin(db, now());
  log.error(
    { log: origin.name, published: stored.size, entries: size },
    "the log's checkpoint has other entries than the database, which was restored or changed: beginning a new log",
  );
  return undefined;
}

async function publishTo(services: Services, origin: Origin, { at, size }: { at: number; size: number }) {
  const { db, files, now } = services;
  const signer = originSigner(origin, services);
  const write = async (tiles: Tile[], contentOf: (tile: Tile) => Promise<Buffer>) => {
    for (let from = 0; from < tiles.length; from += filesAtOnce) {
      const puts = tiles.slice(from, from + filesAtOnce).map(async (tile) => {
        return files.put(logFile(origin, tilePath(tile)), Readable.from([await contentOf(tile)]));
      });
      await Promise.all(puts);
    }
  };
  await write(newTiles("entries", at, size), async (tile) => bundleOf(await entriesFrom(db, tile)));
  for (const level of tileLevels(size).slice(1)) {
    const { tileHashes } = treeOf(services, origin, at);
    await write(newTiles(level, at, size), async (tile) => tileOfHashes(await tileHashes({ ...tile, level })));
  }
  const root = await rootOf(size, treeOf(services, origin, size).hashesAt(size));
  const note = signCheckpoint({ origin: origin.name, size, root }, signer, now());
  const row = { origin_id: origin.id, size, root: root.toString("base64"), note, made_at: now().toISOString() };
  // One that is written again, as the store lost it, has its cosignatures still.
  await db
    .insertInto("log_checkpoints")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["origin_id", "size"])
        .doUpdateSet({ ...row, witnesses: 0 })
        .where("log_checkpoints.root", "!=", row.root),
    )
    .execute();
  const own = db.selectFrom("log_checkpoints").where("origin_id", "=", origin.id).where("size", "=", size);
  const stored = await own.select(["id", "note"]).executeTakeFirstOrThrow();
  await replaceFile(files, checkpointFile(origin), stored.note);
  for (const tile of formerPartialTiles(at, size)) await files.remove(logFile(origin, tilePath(tile)));
  const old = db.deleteFrom("log_checkpoints").where("origin_id", "=", origin.id).where("witnesses", "=", 0);
  await old.where("id", "<=", stored.id - keptCheckpoints).execute();
}

/** At once: who reads it gets the whole former or new one. */
export async function replaceFile(files: Files, key: string, content: string) {
  const path = await files.workPath(randomUUID());
  await writeFile(path, content);
  await files.adopt(key, path);
}

/** Partial tiles of a tree of `before` leaves that wider ones replace, and serve. */
function formerPartialTiles(before: number, size: number): Tile[] {
  const levels: Tile["level"][] = ["entries", ...tileLevels(before).slice(1)];
  return levels.flatMap((level) => {
    const shift = tileWidth ** (level === "entries" ? 0 : level);
    const [had, has] = [Math.floor(before / shift), Math.floor(size / shift)];
    const width = had % tileWidth;
    return width > 0 && has > had ? [{ level, index: Math.floor(had / tileWidth), width }] : [];
  });
}
