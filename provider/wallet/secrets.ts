import { hash, randomBytes } from "node:crypto";
import { minutesInMs } from "#lib/units.ts";
import type { Db, Tables } from "../db/tables.ts";
import type { Services } from "../services.ts";

/** Secrets of 256 bits that are used once: an offer's code, and the token that a wallet gets for it. Only digests are stored. */

type Kind = Tables["wallet_secrets"]["kind"];
type Held = Pick<Tables["wallet_secrets"], "company_id" | "document_id">;

const validMs: Record<Kind, number> = { code: minutesInMs(10), token: minutesInMs(5) };
export const tokenSeconds = validMs.token / 1000;

const hashOf = (kind: Kind, secret: string) => hash("sha256", `wallet ${kind} ${secret}`, "hex");

export async function insertSecret(db: Db, { now }: Pick<Services, "now">, kind: Kind, held: Held) {
  const secret = randomBytes(32).toString("base64url");
  const expires_at = new Date(now().getTime() + validMs[kind]).toISOString();
  const { company_id, document_id } = held;
  const row = { hash: hashOf(kind, secret), kind, company_id, document_id, expires_at };
  await db.insertInto("wallet_secrets").values(row).execute();
  return { secret, expires_at };
}

/** Ends a secret and returns what it was for; undefined if it is unknown, used or expired. Of two at once one gets it. */
export const useSecret = (db: Db, { now }: Pick<Services, "now">, kind: Kind, secret: string) =>
  db
    .deleteFrom("wallet_secrets")
    .where("hash", "=", hashOf(kind, secret))
    .where("expires_at", ">", now().toISOString())
    .returning(["company_id", "document_id"])
    .executeTakeFirst();

export const findSecret = (db: Db, { now }: Pick<Services, "now">, kind: Kind, secret: string) =>
  db
    .selectFrom("wallet_secrets")
    .where("hash", "=", hashOf(kind, secret))
    .where("expires_at", ">", now().toISOString())
    .select(["company_id", "document_id"])
    .executeTakeFirst();

export const removeExpiredSecrets = ({ db, now }: Pick<Services, "db" | "now">) =>
  db.deleteFrom("wallet_secrets").where("expires_at", "<=", now().toISOString()).execute();
