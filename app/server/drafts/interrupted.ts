import { createHmac, randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import { config } from "#config";
import { readText } from "#intake/form-body.ts";
import { networksOf } from "#storage/networks.ts";
import { clientAddress } from "../request/client-address.ts";
import { opened } from "../process/start.ts";
import { inWords } from "../trouble.ts";
import { withLock } from "./lock.ts";
import type { DraftTables } from "./tables.ts";

/** Wizard forms that outlive their session: stored for an hour, and limited, as an ended session can send any number. */

/** Fifty custom fields have 170,000 bytes as browsers encode them. */
const maxFormBytes = 200_000;
const limits = {
  /** Replacements of a session's form before it expires. */
  times: 5,
  ofNetwork: 20,
  forms: 1000,
  bytes: 20 * 1024 * 1024,
};
const hours = (n: number) => n * 60 * 60 * 1000;

const step = /^\/documents\/new\/[\w-]{1,100}(\/[a-z]{1,20})?$/;

const tables = async () => (await opened()).database.tables<DraftTables>();

/** Stores a form of a wizard step without page files; returns its id if the limits allow. */
async function store(request: Request, path: string, session: string): Promise<string | undefined> {
  const isForm = request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded");
  if (request.method !== "POST" || !step.test(path) || !isForm) return undefined;
  const body = await readText(request, maxFormBytes);
  if (body === undefined) return undefined;
  const now = Date.now();
  const form = { id: randomUUID(), network: networkOf(request), path, body, bytes: Buffer.byteLength(body) };
  const expires_at = new Date(now + hours(1)).toISOString();
  return withLock(await tables(), "interrupted forms", async (db) => {
    await db.deleteFrom("interrupted_forms").where("expires_at", "<=", new Date(now).toISOString()).execute();
    const before = await db
      .selectFrom("interrupted_forms")
      .where("session", "=", session)
      .select(["id", "times", "bytes", "network"])
      .executeTakeFirst();
    if (!(await isWithinLimits(db, form, before))) return undefined;
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

async function isWithinLimits(
  db: Kysely<DraftTables>,
  form: Counted,
  before: (Counted & { times: number }) | undefined,
) {
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

const networkOf = (request: Request) =>
  createHmac("sha256", config().SESSION_SECRET[0])
    .update(networksOf(clientAddress(request)).nearest)
    .digest("base64url");

/** Deletes a stored form, and returns it if it was for a page below `path`. */
async function take(id: string, path: string): Promise<URLSearchParams | undefined> {
  const db = await tables();
  const form = db
    .deleteFrom("interrupted_forms")
    .where("id", "=", id)
    .where("expires_at", ">", new Date().toISOString());
  const row = await form.returning(["path", "body"]).executeTakeFirst();
  return row && (row.path === path || row.path.startsWith(`${path}/`)) ? new URLSearchParams(row.body) : undefined;
}

export const { keepInterrupted, takeInterrupted } = inWords({ keepInterrupted: store, takeInterrupted: take });
