import { createPrivateKey, generateKeyPairSync, randomBytes } from "node:crypto";
import type { Selectable } from "kysely";
import { noteKey, type NoteSigner, readNoteKey } from "#lib/log/notes.ts";
import { unwrap, wrap } from "#lib/seal/wrapping.ts";
import type { Db, Tables } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { SealKeysLocked } from "../seal/keys/stored-keys.ts";
import { enter } from "./enter.ts";
import { sizeOf } from "./number.ts";
import { otherKinds } from "./records.ts";

/** The log's names, each with a key that signs its checkpoints. */

export type Origin = Selectable<Tables["log_origins"]>;

export const logKeyPurpose = ({ public_key }: Pick<Origin, "public_key">) => `log key ${public_key}`;

/** The end of an origin's addresses. */
export const pathOf = ({ name }: Pick<Origin, "name">) => name.split("/").at(-1)!;

const activeOrigins = (db: Db) => db.selectFrom("log_origins").where("ended_at", "is", null);

/** The origin of now, made if there is none. Of two processes that make one, both get the first. */
export async function activeOrigin(services: Pick<Services, "db" | "seals" | "publicUrl" | "now">): Promise<Origin> {
  const { db } = services;
  const current = await activeOrigins(db).selectAll().executeTakeFirst();
  if (current) return current;
  await db.transaction().execute((transaction) => beginOrigin(transaction, services));
  return activeOrigins(db).selectAll().executeTakeFirstOrThrow();
}

async function beginOrigin(db: Db, { seals, publicUrl, now }: Pick<Services, "seals" | "publicUrl" | "now">) {
  const name = `${new URL(publicUrl).host}/log/${randomBytes(4).toString("hex")}`;
  const { privateKey } = generateKeyPairSync("ed25519");
  const public_key = noteKey(name, "log", privateKey).text;
  const wrapped = wrap(
    privateKey.export({ type: "pkcs8", format: "der" }),
    seals.wrappingKeys[0]!,
    logKeyPurpose({ public_key }),
  );
  const [before, began_size, at] = [await newestOrigin(db), await sizeOf(db), now().toISOString()];
  const reason = before ? "restored" : "first";
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

/** Ends the name of a log whose database was restored: entries since are in its checkpoints, and not here. */
export const endOrigin = (db: Db, now: Date) =>
  db
    .updateTable("log_origins")
    .set({ ended_at: now.toISOString(), private_key: null })
    .where("ended_at", "is", null)
    .returning("name")
    .execute();

/** Signs an origin's checkpoints. Throws `SealKeysLocked` if no secret decrypts its key. */
export function originSigner(origin: Origin, { seals }: Pick<Services, "seals">): NoteSigner {
  const der = unwrap(origin.private_key ?? "", seals.wrappingKeys, logKeyPurpose(origin));
  if (!der) throw new SealKeysLocked();
  return { key: originKey(origin), privateKey: createPrivateKey({ key: der, format: "der", type: "pkcs8" }) };
}

export const originKey = ({ public_key }: Pick<Origin, "public_key">) => readNoteKey(public_key)!;
