import { createHash, randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { Entries, entriesFor, entryAt, entryInput, signStatusList } from "#seal/status-list.ts";
import { daysInSeconds, hoursInMs, hoursInSeconds, minutesInMs, secondsInMs } from "#units";
import { ago, dateIn } from "../calendar.ts";
import { codesInLots, countCodes } from "../db/issued-codes.ts";
import type { Db } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { companySigner } from "./signer.ts";
import { activeKeys, SealKeysLocked } from "./stored-keys.ts";

/** Signed lists of which codes are still in force, for checks without a network (`docs/decisions/status-lists.md`). */

const saltBytes = 16;
const refreshSeconds = hoursInSeconds(1);
const validSeconds = daysInSeconds(2);
/** Another one is made so long after the last: sooner where something was changed. */
const refreshMs = { changed: minutesInMs(10), unchanged: hoursInMs(6) };

/** Where the list of a company is: the id is the thumbprint of its first key, which names nobody. */
export const statusListUrl = (publicUrl: string, list: string) => `${publicUrl}/.well-known/status-lists/${list}`;

/** The first key of each company. */
export const firstKeys = (db: Db) =>
  db.selectFrom("seal_keys as first").where("first.id", "in", (eb) =>
    eb
      .selectFrom("seal_keys")
      .groupBy("company_id")
      .select(({ fn }) => fn.min("seal_keys.id").as("id")),
  );

/** Makes the lists that are due. */
export async function refreshStatusLists(services: Services, signal: AbortSignal) {
  const { db, now, publicUrl } = services;
  const keys = await activeKeys(db).select(["company_id", "thumbprint", "short_id"]).orderBy("company_id").execute();
  for (const key of keys) {
    if (signal.aborted) return;
    const made = await db
      .selectFrom("status_lists")
      .where("company_id", "=", key.company_id)
      .selectAll()
      .executeTakeFirst();
    const audit_id = await newestChange(db, key.company_id);
    const isChanged = audit_id !== made?.audit_id;
    const isFresh = made && made.made_at > ago(now(), isChanged ? refreshMs.changed : refreshMs.unchanged);
    if (isFresh && made.public_url === publicUrl) continue;
    try {
      await makeStatusList(services, key, audit_id);
    } catch (err) {
      if (err instanceof SealKeysLocked) throw err;
      services.log.error({ err, company: key.company_id }, "status list could not be made");
    }
  }
}

/** The id of the company's newest entry of the audit trail: whatever changes a document writes one. */
async function newestChange(db: Db, companyId: number): Promise<number> {
  const entries = db.selectFrom("audit").where("company_id", "=", companyId).where("trail", "=", "changes");
  const newest = await entries.orderBy("at", "desc").orderBy("id", "desc").select("id").limit(1).executeTakeFirst();
  return newest?.id ?? 0;
}

type ActiveKey = { company_id: number; thumbprint: string; short_id: string };

async function makeStatusList(services: Services, key: ActiveKey, audit_id: number) {
  const { db, now, publicUrl } = services;
  const { company_id } = key;
  const { timezone } = await db
    .selectFrom("companies")
    .where("id", "=", company_id)
    .select("timezone")
    .executeTakeFirstOrThrow();
  const { list } = await firstKeys(db)
    .where("first.company_id", "=", company_id)
    .select("first.thumbprint as list")
    .executeTakeFirstOrThrow();
  const at = now();
  const salt = Uint8Array.from(randomBytes(saltBytes));
  const entries = new Entries(entriesFor(await countCodes(db, company_id)));
  const madeAt = Math.floor(at.getTime() / 1000);
  const expiresAt = madeAt + validSeconds;
  const days = { made: dateIn(timezone, at), expires: dateIn(timezone, new Date(secondsInMs(expiresAt))) };
  for await (const lot of codesInLots(db, company_id, days)) {
    for (const { code, says } of lot) {
      entries.add(entryAt(createHash("sha256").update(entryInput(salt, code)).digest(), entries.length), says);
    }
    // Requests are answered between lots.
    await setImmediate();
  }
  const signer = await companySigner(services, company_id);
  // The key was changed meanwhile: the next run makes the list.
  if (signer.shortId !== key.short_id) return;
  const token = await signStatusList(
    {
      address: statusListUrl(publicUrl, list),
      kid: key.thumbprint,
      salt,
      madeAt,
      expiresAt,
      refreshAfter: refreshSeconds,
    },
    entries,
    signer.signCode,
  );
  const row = { list, public_url: publicUrl, token, made_at: at.toISOString(), audit_id };
  await db
    .insertInto("status_lists")
    .values({ company_id, ...row })
    .onConflict((conflict) => conflict.column("company_id").doUpdateSet(row))
    .execute();
}

/** The token of a list; undefined if there is none. */
export const statusListToken = async (db: Db, list: string): Promise<string | undefined> =>
  (await db.selectFrom("status_lists").where("list", "=", list).select("token").executeTakeFirst())?.token;

/** The addresses of all lists. */
export async function statusListUrls({ db, publicUrl }: Pick<Services, "db" | "publicUrl">): Promise<string[]> {
  const lists = await db.selectFrom("status_lists").orderBy("list").select("list").execute();
  return lists.map(({ list }) => statusListUrl(publicUrl, list));
}
