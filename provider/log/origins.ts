import { createPrivateKey } from "node:crypto";
import type { Selectable } from "kysely";
import { type NoteSigner, readNoteKey } from "#lib/log/notes.ts";
import { unwrap } from "#lib/seal/wrapping.ts";
import type { Db, Tables } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { SealKeysLocked } from "../seal/keys/stored-keys.ts";

/** The log's names, each with a key that signs its checkpoints. */

export type Origin = Selectable<Tables["log_origins"]>;

export const logKeyPurpose = ({ public_key }: Pick<Origin, "public_key">) => `log key ${public_key}`;

/** The end of an origin's addresses. */
export const pathOf = ({ name }: Pick<Origin, "name">) => name.split("/").at(-1)!;

/** The checkpoints of the log of now. */
export const currentCheckpoints = (db: Db) =>
  db
    .selectFrom("log_checkpoints")
    .innerJoin("log_origins", "log_origins.id", "origin_id")
    .where("ended_at", "is", null);

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
