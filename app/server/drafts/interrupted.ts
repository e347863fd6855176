import { createHmac, randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import { config } from "#lib/config.ts";
import type { Fields } from "#lib/intake/fields.ts";
import { readAnyFields } from "#lib/intake/form-body.ts";
import { networksOf } from "#lib/storage/limits/networks.ts";
import { hoursInMs, mebibytesInBytes } from "#lib/units.ts";
import { clientAddress } from "../request/client-address.ts";
import { withUserFailures } from "../user-failure.ts";
import { withLock } from "./lock.ts";
import { draftDb } from "./store.ts";
import type { DraftTables } from "./tables.ts";

/** Entries of forms that were sent after their session had ended; limited, as any old cookie can send them. */

/** Fifty custom fields, as browsers encode them, have 170,000 bytes. */
export const maxFormBytes = 200_000;
const maxPathLength = 500;
const limits = {
  savesPerSession: 5,
  formsPerNetwork: 20,
  forms: 1000,
  bytes: mebibytesInBytes(20),
};

const wizardStep = /^\/documents\/new\/[\w-]{1,100}(\/[a-z]{1,20})?$/;
export const isWizardStep = (path: string) => wizardStep.test(path.split("?", 1)[0]!);

/** Passwords, and the fields of Conform, which change forms by themselves. */
export const isSecret = (name: string) =>
  (/pass|secret|token/i.test(name) && name !== "passwords_off") || name.startsWith("__");

const notTyped = ["intent", "version", "session", "dialog", "at", "tab", "key", "api_key", "page_user"];
export const isTyped = ([name, value]: [string, string]) => value !== "" && !notTyped.includes(name);

/** The id for the browser's cookie, or whether there were entries at all. */
type Interruption = { id: string } | "lost" | undefined;

async function store(request: Request, path: string, session: string, form?: Fields): Promise<Interruption> {
  if (request.method !== "POST") return undefined;
  const entriesSent = form ? form.entries() : await readAnyFields(request, maxFormBytes);
  if (!entriesSent) return "lost";
  const entries = [...entriesSent].filter(([name]) => !isSecret(name));
  if (!entries.some(isTyped)) return undefined;
  const body = new URLSearchParams(entries).toString();
  const isTooLong = body.length > maxFormBytes || path.length > maxPathLength;
  const id = isTooLong ? undefined : await insert(request, { path, body, session });
  return id === undefined ? "lost" : { id };
}

type Sent = { path: string; body: string; session: string };

async function insert(request: Request, { path, body, session }: Sent): Promise<string | undefined> {
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

async function find(id: string, isFor: (path: string) => boolean): Promise<URLSearchParams | undefined> {
  const stored = await draftDb()
    .selectFrom("interrupted_forms")
    .where("id", "=", id)
    .where("expires_at", ">", new Date().toISOString())
    .select(["path", "body"])
    .executeTakeFirst();
  return stored && isFor(stored.path) ? new URLSearchParams(stored.body) : undefined;
}

const remove = async (id: string) =>
  void (await draftDb().deleteFrom("interrupted_forms").where("id", "=", id).execute());

export const { storeInterrupted, findInterrupted, removeInterrupted } = withUserFailures({
  storeInterrupted: store,
  findInterrupted: find,
  removeInterrupted: remove,
});
