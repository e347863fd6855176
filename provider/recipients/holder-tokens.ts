import { hash, randomBytes, randomInt } from "node:crypto";
import type { Insertable, Selectable } from "kysely";
import { hoursInMs, minutesInMs } from "#lib/units.ts";
import type { Db, Tables } from "../db/tables.ts";
import { tokenHash } from "../sessions/tokens.ts";

/** What holders prove themselves by, of which digests alone are stored. */

/** How long a visit by a link, a request for a code, and a session last. */
const lifetimesMs = { visit: hoursInMs(1), request: minutesInMs(10), session: hoursInMs(1) };

type HolderToken = Selectable<Tables["holder_tokens"]>;
type Whose = Partial<Pick<Insertable<Tables["holder_tokens"]>, "recipient_id" | "email_key">>;

export const newToken = () => randomBytes(32).toString("base64url");

/** Stores a new token's digest, and returns the token. A link lasts as long as its company says. */
export async function issueHolderToken(
  db: Db,
  kind: HolderToken["kind"],
  { recipient_id = null, email_key = null }: Whose,
  { now, lastsMs = lifetimesMs[kind as "visit"] }: { now: Date; lastsMs?: number },
): Promise<string> {
  const token = newToken();
  const expires_at = new Date(now.getTime() + lastsMs).toISOString();
  const row = { hash: tokenHash(token), kind, recipient_id, email_key, expires_at };
  await db.insertInto("holder_tokens").values(row).execute();
  return token;
}

/** The row of a token of one of these kinds that has not ended. */
export const findHolderToken = (db: Db, token: string | undefined, kinds: HolderToken["kind"][], now: Date) =>
  db
    .selectFrom("holder_tokens")
    .where("hash", "=", tokenHash(token ?? ""))
    .where("kind", "in", kinds)
    .where("expires_at", ">", now.toISOString())
    .selectAll()
    .executeTakeFirst();

const codeHash = (requestHash: string, code: string) => hash("sha256", `${requestHash} ${code}`, "hex");

/** Draws the six digits of a request, in place of earlier ones. */
export async function drawCode(db: Db, requestHash: string): Promise<string> {
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  const request = db.updateTable("holder_tokens").set({ code_hash: codeHash(requestHash, code) });
  await request.where("hash", "=", requestHash).execute();
  return code;
}

/** Ends a request by its code, and returns its address; undefined for a wrong code, and for all but the first of two. */
export async function takeRequest(db: Db, token: string | undefined, code: string, now: Date) {
  const request = await findHolderToken(db, token, ["request"], now);
  if (!request || request.code_hash !== codeHash(request.hash, code)) return undefined;
  const { numDeletedRows } = await endHolderToken(db, token);
  return numDeletedRows > 0n ? request.email_key! : undefined;
}

export const endHolderToken = (db: Db, token: string | undefined) =>
  db
    .deleteFrom("holder_tokens")
    .where("hash", "=", tokenHash(token ?? ""))
    .executeTakeFirst();

/** Ends all links and visits of recipients. */
export const endLinks = (db: Db, recipientId: number) =>
  db.deleteFrom("holder_tokens").where("recipient_id", "=", recipientId).execute();
