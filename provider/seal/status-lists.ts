import type { ExpressionBuilder } from "kysely";
import { codeIndex, Entries, listSalt, signStatusList } from "#lib/seal/make-status-list.ts";
import { daysInSeconds, hoursInMs, hoursInSeconds, minutesInMs, secondsInMs } from "#lib/units.ts";
import { dateIn } from "../calendar/calendar.ts";
import { TRUE } from "../db/flags.ts";
import { issuedCodes } from "../documents/issued-codes.ts";
import type { Db, Tables } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { changesSince, countOf } from "./list-changes.ts";
import { inTurn } from "./in-turn.ts";
import { companySigner } from "./keys/signer.ts";
import { SealKeysLocked } from "./keys/stored-keys.ts";

/** Signed lists of the codes still in force, for checks without a network (`docs/decisions/status-lists.md`). */

const refreshSeconds = hoursInSeconds(1);
const validSeconds = daysInSeconds(2);
/** A new one is made so long after the last, and when a day of the company begins, on which documents expire. */
const refreshMs = { changed: minutesInMs(10), unchanged: hoursInMs(6) };
/** Machines whose clocks are behind by less have their changes noticed. */
const clockSkewMs = hoursInMs(1);

/** The address of a company's list: the id is the thumbprint of its first key, which names no company. */
export const statusListUrl = (publicUrl: string, list: string) => `${publicUrl}/.well-known/status-lists/${list}`;

/** The first key of each company. */
export const firstKeys = (db: Db) =>
  db.selectFrom("seal_keys as first").where("first.id", "in", (eb) =>
    eb
      .selectFrom("seal_keys")
      .groupBy("company_id")
      .select(({ fn }) => fn.min("seal_keys.id").as("id")),
  );

/** The thumbprint of one company's first key. */
export const firstKeyOf = (eb: ExpressionBuilder<Tables, "seal_keys">, company: "seal_keys.company_id") =>
  eb
    .selectFrom("seal_keys as first")
    .whereRef("first.company_id", "=", company)
    .orderBy("first.id")
    .limit(1)
    .select("first.thumbprint");

/** Makes the lists that are due. */
export async function refreshStatusLists(services: Services, signal: AbortSignal) {
  const locked: number[] = [];
  let reason = "";
  for (const company of await sealingCompanies(services.db).execute()) {
    if (signal.aborted) return;
    try {
      const isChanged = company.made_at !== null && (await hasChanged(services, company));
      const isListDue = isDue(services, company, isChanged ? refreshMs.changed : refreshMs.unchanged);
      if (isListDue) await makeStatusList(services, company, signal);
    } catch (err) {
      if (err instanceof SealKeysLocked) {
        locked.push(company.id);
        reason = err.message;
      } else services.log.error({ err, company: company.id }, "status list could not be made");
    }
  }
  if (locked.length === 0) return;
  services.log.error({ companies: locked, reason }, "no status lists are made without a key");
}

/** The active companies that have, or had, a key: each with its list, if one was made. */
const sealingCompanies = (db: Db) =>
  firstKeys(db)
    .innerJoin("companies", "companies.id", "first.company_id")
    .leftJoin("status_lists", "status_lists.company_id", "companies.id")
    .where("companies.active", "=", TRUE)
    .select(["companies.id", "timezone", "first.thumbprint as list"])
    .select(["status_lists.public_url", "made_at", "changes"])
    .select((eb) => [
      eb
        .selectFrom("seal_keys")
        .whereRef("seal_keys.company_id", "=", "companies.id")
        .select(({ fn }) => fn.max<string | null>("revoked_at").as("at"))
        .as("revoked_at"),
    ])
    .orderBy("companies.id");

type SealingCompany = Awaited<ReturnType<ReturnType<typeof sealingCompanies>["execute"]>>[number];

const countChanges = (db: Db, companyId: number, at: Date) => countOf(changesSince(db, companyId, at, clockSkewMs));

/** Whether anything that a list depends on did after it was made. */
const hasChanged = async ({ db }: Services, { id, made_at, changes }: SealingCompany) =>
  (await countChanges(db, id, new Date(made_at!))) !== changes;

function isDue(
  { now, publicUrl }: Services,
  { made_at, public_url, timezone, revoked_at }: SealingCompany,
  maxAgeMs: number,
) {
  if (made_at === null || public_url !== publicUrl) return true;
  if (dateIn(timezone, made_at) !== dateIn(timezone, now())) return true;
  // It may be signed by the revoked key.
  if (revoked_at !== null && revoked_at >= made_at) return true;
  const ageMs = now().getTime() - Date.parse(made_at);
  // The clock was set back: the list would count as one of the future.
  return ageMs < 0 || ageMs >= maxAgeMs;
}

/** The token of a company's list with all changes until now, which is published too; undefined if the company has no key. */
export async function statusListOfNow(services: Services, companyId: number): Promise<string | undefined> {
  const { db } = services;
  const companyNow = () => sealingCompanies(db).where("companies.id", "=", companyId).executeTakeFirst();
  const company = await companyNow();
  if (!company) return undefined;
  const current = async (one: SealingCompany) => {
    const isOutdated = isDue(services, one, refreshMs.changed) || (await hasChanged(services, one));
    return isOutdated ? undefined : statusListToken(db, one.list);
  };
  const renew = async () => (await current((await companyNow()) ?? company)) ?? makeStatusList(services, company);
  return (await current(company)) ?? inTurn({ owner: db, key: `codes ${companyId}` }, renew);
}

async function makeStatusList(services: Services, { id, timezone, list }: SealingCompany, signal?: AbortSignal) {
  const { db, now, publicUrl } = services;
  const at = now();
  const changes = await countChanges(db, id, at);
  const signer = await companySigner(services, id);
  const address = statusListUrl(publicUrl, list);
  const salt = listSalt(address);
  const entries = new Entries();
  const madeAt = Math.floor(at.getTime() / 1000);
  const expiresAt = madeAt + validSeconds;
  const days = { issued: dateIn(timezone, at), expires: dateIn(timezone, new Date(secondsInMs(expiresAt))) };
  for await (const batch of issuedCodes(db, id, days)) {
    for (const { code, says } of batch) entries.add(codeIndex(salt, code), says);
    if (signal?.aborted) return;
  }
  const claims = { address, salt, madeAt, expiresAt, refreshAfter: refreshSeconds };
  const { kid } = await db
    .selectFrom("seal_keys")
    .where("short_id", "=", signer.shortId)
    .select("thumbprint as kid")
    .executeTakeFirstOrThrow();
  const token = await signStatusList({ ...claims, kid }, entries, signer.signCode);
  if (signal?.aborted) return;
  const row = { list, public_url: publicUrl, token, made_at: at.toISOString(), changes, audit_id: 0 };
  await db
    .insertInto("status_lists")
    .values({ company_id: id, ...row })
    .onConflict((conflict) => conflict.column("company_id").doUpdateSet(row))
    .execute();
  return token;
}

/** Those of active companies: no other's codes count as issued. */
const publishedLists = (db: Db) =>
  db
    .selectFrom("status_lists")
    .innerJoin("companies", "companies.id", "status_lists.company_id")
    .where("companies.active", "=", TRUE);

/** The token of a list; undefined if there is none. */
export const statusListToken = async (db: Db, list: string): Promise<string | undefined> =>
  (await publishedLists(db).where("list", "=", list).select("token").executeTakeFirst())?.token;

/** The addresses of all lists. */
export async function statusListUrls({ db, publicUrl }: Pick<Services, "db" | "publicUrl">): Promise<string[]> {
  const lists = await publishedLists(db).orderBy("list").select("list").execute();
  return lists.map(({ list }) => statusListUrl(publicUrl, list));
}
