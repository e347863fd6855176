import { createHmac, randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import { config } from "#config";
import { readText } from "#intake/form-body.ts";
import { networksOf } from "#storage/networks.ts";
import { hoursInMs, mebibytesInBytes } from "#units";
import { clientAddress } from "../request/client-address.ts";
import { withUserFailures } from "../user-failure.ts";
import { withLock } from "./lock.ts";
import { draftDb } from "./store.ts";
import type { DraftTables } from "./tables.ts";

/** Holds wizard forms of ended sessions until their owner signs in again; limited, as any old cookie can send them. */

/** Fifty custom fields, as browsers encode them, have 170,000 bytes. */
const maxFormBytes = 200_000;
const limits = {
  savesPerSession: 5,
  formsPerNetwork: 20,
  forms: 1000,
  bytes: mebibytesInBytes(20),
};

const wizardStep = /^\/documents\/new\/[\w-]{1,100}(\/[a-z]{1,20})?$/;

/** Returns the id for the browser's cookie; undefined for other forms and beyond the limits. */
async function store(request: Request, path: string, session: string): Promise<string | undefined> {
  const isForm = request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded");
  if (request.method !== "POST" || !wizardStep.test(path) || !isForm) return undefined;
  const body = await readText(request, maxFormBytes);
  if (body === undefined) return undefined;
  const now = Date.now();
  const form = { id: randomUUID(), network: networkHashOf(request), path, body, bytes: Buffer.byteLength(body) };
  const expires_at = new Date(now + hoursInMs(1)).toISOString();
  return withLock(draftDb(), "interrupted forms", async (db) => {
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

type FormSize = { bytes: number; network: string };

async function hasRoom(db: Kysely<DraftTables>, form: FormSize, before: (FormSize & { times: number }) | undefined) {
  if (before && before.times >= limits.savesPerSession) return false;
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
    (isSameNetwork || ofNetwork < limits.formsPerNetwork)
  );
}

const networkHashOf = (request: Request) =>
  createHmac("sha256", config().SESSION_SECRET[0])
    .update(networksOf(clientAddress(request)).nearest)
    .digest("base64url");

/** Removes a stored form and returns it, if it was for a page below `path`. */
async function take(id: string, path: string): Promise<URLSearchParams | undefined> {
  const db = draftDb();
  const removal = db
    .deleteFrom("interrupted_forms")
    .where("id", "=", id)
    .where("expires_at", ">", new Date().toISOString());
  const row = await removal.returning(["path", "body"]).executeTakeFirst();
  return row && (row.path === path || row.path.startsWith(`${path}/`)) ? new URLSearchParams(row.body) : undefined;
}

export const { storeInterrupted, takeInterrupted } = withUserFailures({
  storeInterrupted: store,
  takeInterrupted: take,
});
