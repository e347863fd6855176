import { generateKeyPairSync, randomBytes } from "node:crypto";
import { growingTree } from "#lib/log/growing-tree.ts";
import { openCheckpoint } from "#lib/log/checkpoints.ts";
import { entriesOf, tilePath, tileWidth } from "#lib/log/tiles.ts";
import { hashOfLeaf } from "#lib/log/tree.ts";
import { noteKey } from "#lib/log/notes.ts";
import { wrap } from "#lib/seal/wrapping.ts";
import type { Db } from "../db/tables.ts";
import type { Files } from "#lib/storage/files/files.ts";
import type { Services } from "../services.ts";
import { enter } from "./enter.ts";
import { sizeOf } from "./number.ts";
import { logKeyPurpose, type Origin, originKey } from "./origins.ts";
import { otherKinds } from "./records.ts";
import { entriesFrom, logFile, readSmall } from "./tree.ts";

/** How a log begins under a new name, and with how many entries of the former one, by what that published. */

export const checkpointFile = (origin: Pick<Origin, "name">) => logFile(origin, "checkpoint");

/** The checkpoint in the store; undefined if there is none with the log's signature. */
export async function storedCheckpoint(files: Files, origin: Pick<Origin, "name" | "public_key">) {
  const note = await readSmall(files, checkpointFile(origin));
  return note && openCheckpoint(note.toString(), [originKey(origin)]);
}

/** An origin's entries of one bundle of a tree of `size`; undefined if the store has none. */
export async function storedBundle(files: Files, origin: Pick<Origin, "name">, index: number, size: number) {
  const width = Math.min(tileWidth, size - index * tileWidth);
  const bundle = await readSmall(files, logFile(origin, tilePath({ level: "entries", index, width })));
  return bundle && entriesOf(bundle);
}

/**
 * With how many entries of an ended origin the first `size` of the database begin; undefined if the store lacks its files,
 * or they are not those that its checkpoint is of.
 */
export async function commonPrefix({ db, files }: Pick<Services, "db" | "files">, origin: Origin, size: number) {
  const checkpoint = await storedCheckpoint(files, origin);
  if (!checkpoint) return undefined;
  const tree = growingTree();
  let same: number | undefined;
  for (let index = 0; index * tileWidth < checkpoint.size; index++) {
    const stored = await storedBundle(files, origin, index, checkpoint.size);
    if (!stored) return undefined;
    const first = index * tileWidth;
    const width = Math.max(0, Math.min(stored.length, size - first));
    const own = width > 0 && same === undefined ? await entriesFrom(db, { index, width }) : [];
    for (const [at, entry] of stored.entries()) {
      if (!own[at]?.equals(entry)) same ??= first + at;
      tree.add(hashOfLeaf(entry));
    }
  }
  return tree.root().equals(checkpoint.root) ? (same ?? checkpoint.size) : undefined;
}

const activeOrigins = (db: Db) => db.selectFrom("log_origins").where("ended_at", "is", null);

/** The origin of now, made if there is none. Of two processes that make one, both get the first. */
export async function activeOrigin(
  services: Pick<Services, "db" | "files" | "seals" | "publicUrl" | "now" | "log">,
): Promise<Origin> {
  const { db } = services;
  const current = await activeOrigins(db).selectAll().executeTakeFirst();
  if (current) return current;
  const before = await newestOrigin(db);
  const size = await sizeOf(db);
  // Without a former name, entries have lost theirs: they are published as what was restored.
  if (!before && size > 0)
    services.log.error({ entries: size }, "the log has entries and no name: somebody deleted it");
  const began_size = before ? ((await commonPrefix(services, before, size)) ?? size) : size;
  await db.transaction().execute((transaction) => beginOrigin(transaction, services, { before, began_size }));
  return activeOrigins(db).selectAll().executeTakeFirstOrThrow();
}

type Beginning = { before: Origin | undefined; began_size: number };

async function beginOrigin(
  db: Db,
  { seals, publicUrl, now }: Pick<Services, "seals" | "publicUrl" | "now">,
  { before, began_size }: Beginning,
) {
  const name = `${new URL(publicUrl).host}/log/${randomBytes(4).toString("hex")}`;
  const { privateKey } = generateKeyPairSync("ed25519");
  const public_key = noteKey(name, "log", privateKey).text;
  const wrapped = wrap(
    privateKey.export({ type: "pkcs8", format: "der" }),
    seals.wrappingKeys[0]!,
    logKeyPurpose({ public_key }),
  );
  const at = now().toISOString();
  const reason = before || began_size > 0 ? "restored" : "first";
  const origin = await db
    .insertInto("log_origins")
    .values({ name, began_size, public_key, private_key: wrapped, reason, created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!origin) return;
  const record = { kind: otherKinds.origin, at, origin: name, reason, before: before?.name };
  await enter(db, [{ company_id: null, entity: "log", entity_id: origin.id, record }]);
}

const newestOrigin = (db: Db) =>
  db.selectFrom("log_origins").orderBy("id", "desc").limit(1).selectAll().executeTakeFirst();
