import { createHmac, randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import { config } from "#config";
import { readText } from "#intake/form-body.ts";
import { networksOf } from "#storage/networks.ts";
import { hoursInMs, megabytesInBytes } from "#units";
import { clientAddress } from "../request/client-address.ts";
import { resources } from "../process/resources.ts";
import { withUserFailures } from "../user-failure.ts";
import { withLock } from "./lock.ts";
import type { DraftTables } from "./tables.ts";

/**
 * Forms of the wizard that arrive after their session has ended. What was typed is stored for an hour, under a number
 * that only that browser's session has, and goes into the draft once its owner has signed in again. The cookie of an ended
 * session can send such forms for ever: so there is a limit for each session, network and in total.
 */

/** Of one form, in bytes: fifty custom fields as browsers encode them have 170,000. */
const longest = 200_000;
const limits = {
  /** How often one session's form is replaced before it expires. */
  times: 5,
  /** Forms from one network. */
  ofNetwork: 20,
  forms: 1000,
  bytes: megabytesInBytes(20),
};

/** A step of the wizard with a draft. */
const step = /^\/documents\/new\/[\w-]{1,100}(\/[a-z]{1,20})?$/;

const tables = async () => (await resources()).database.tables<DraftTables>();

/** Stores a form that a step of the wizard was sent, without page files, and returns its number if the limits allow. */
async function keep(request: Request, path: string, session: string): Promise<string | undefined> {
  const isForm = request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded");
  if (request.method !== "POST" || !step.test(path) || !isForm) return undefined;
  const body = await readText(request, longest);
  if (body === undefined) return undefined;
  const now = Date.now();
  const form = { id: randomUUID(), network: networkOf(request), path, body, bytes: Buffer.byteLength(body) };
  const expires_at = new Date(now + hoursInMs(1)).toISOString();
  return withLock(await tables(), "interrupted forms", async (db) => {
    await db.deleteFrom("interrupted_forms").where("expires_at", "<=", new Date(now).toISOString()).execute();
    const before = await db
      .selectFrom("interrupted_forms")
      .where("session", "=", session)
      .select(["id", "times", "bytes", "network"])
      .executeTakeFirst();
    if (!(await hasRoom(db, form, before))) return undefined;
    if (before) {
      const { id, times } = before;
      const replaced = { ...form, id, times: times + 1, expires_at };
      await db.updateTable("interrupted_forms").set(replaced).where("session", "=", session).execute();
      return id;
    }
    await db
      .insertInto("interrupted_forms")
      .values({ ...form, session, times: 1, expires_at })
      .execute();
    return form.id;
  });
}

type Counted = { bytes: number; network: string };

/** Whether a form may be stored beside those that are there, in the place of the one that its session has. */
async function hasRoom(db: Kysely<DraftTables>, form: Counted, before: (Counted & { times: number }) | undefined) {
  if (before && before.times >= limits.times) return false;
  const { forms, bytes, ofNetwork } = await db
    .selectFrom("interrupted_forms")
    .select((eb) => [
      eb.fn.countAll<number>().as("forms"),
      eb.fn.coalesce(eb.fn.sum<number>("bytes"), eb.lit(0)).as("bytes"),
      eb.fn.countAll<number>().filterWhere("network", "=", form.network).as("ofNetwork"),
    ])
    .executeTakeFirstOrThrow();
  const isSameNetwork = before?.network === form.network;
  return (
    (before !== undefined || forms < limits.forms) &&
    bytes - (before?.bytes ?? 0) + form.bytes <= limits.bytes &&
    (isSameNetwork || ofNetwork < limits.ofNetwork)
  );
}

/** The client's network, in a form that tells nothing about it elsewhere. */
const networkOf = (request: Request) =>
  createHmac("sha256", config().SESSION_SECRET[0])
    .update(networksOf(clientAddress(request)).nearest)
    .digest("base64url");

/** The form that was stored, if it was for a page below `path`; it is then gone. */
async function take(id: string, path: string): Promise<URLSearchParams | undefined> {
  const db = await tables();
  const kept = db
    .deleteFrom("interrupted_forms")
    .where("id", "=", id)
    .where("expires_at", ">", new Date().toISOString());
  const row = await kept.returning(["path", "body"]).executeTakeFirst();
  return row && (row.path === path || row.path.startsWith(`${path}/`)) ? new URLSearchParams(row.body) : undefined;
}

export const { storeInterrupted, takeInterrupted } = withUserFailures({
  storeInterrupted: keep,
  takeInterrupted: take,
});
