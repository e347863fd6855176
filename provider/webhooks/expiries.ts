import { dateIn } from "../calendar/calendar.ts";
import { inCompanyTransaction } from "../company/company-queries.ts";
import { TRUE } from "../db/flags.ts";
import type { Db, Tables } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { enqueueEvent, type WebhookQueue } from "./enqueue.ts";
import { eventsOf } from "./webhook-queries.ts";

/**
 * Notes that documents have expired, once a day ends in the time zone of their company. `companies.expiries_noted` says how
 * far that is done; a change of a document reads it too, so that none is noted twice or never.
 */

const event = "document.expired" as const;
const documentsAtOnce = 200;

/** All earlier days are noted, and of this one the documents up to an id. Stored as `2026-11-25` or `2026-11-25 17`. */
type Progress = { day: string; id: number };

const progressOf = (stored: string): Progress => {
  const [day = "", id = "0"] = stored.split(" ");
  return { day, id: Number(id) };
};

type Noticing = Pick<Services, "now"> & WebhookQueue;

/** Notes what expired since the last time, in each company whose day has ended since. */
export async function noteExpiries(services: Services, signal: AbortSignal) {
  const { db, now } = services;
  const companies = db.selectFrom("companies").where("active", "=", TRUE).select(["id", "timezone", "expiries_noted"]);
  for (const { id, timezone, expiries_noted } of await companies.execute()) {
    const today = dateIn(timezone, now());
    if (expiries_noted !== null && expiries_noted >= today) continue;
    // Documents that expired before the webhook existed cause no event.
    const isHeard = expiries_noted !== null && (await isListening(db, id));
    if (isHeard) await noteAll(services, id, { today, signal });
    else await setNoted(db, id, today);
  }
}

type Until = { today: string; signal: AbortSignal };

async function noteAll(services: Services, companyId: number, { today, signal }: Until) {
  while (!signal.aborted && (await noteSome(services, companyId, today)));
}

async function isListening(db: Db, companyId: number) {
  const webhooks = db.selectFrom("webhooks").where("company_id", "=", companyId).where("enabled", "=", 1);
  return (await webhooks.select("events").execute()).some((webhook) => eventsOf(webhook).includes(event));
}

const setNoted = (db: Db, companyId: number, expiries_noted: string) =>
  db.updateTable("companies").set({ expiries_noted }).where("id", "=", companyId).execute();

/** Notes some of what expired before a day. Returns whether there may be more. */
const noteSome = (services: Services, companyId: number, today: string) =>
  inCompanyTransaction(services.db, companyId, async (transaction) => {
    const noted = await notedOf(transaction, companyId, services.now());
    if (noted.day >= today) return false;
    const documents = await expired(transaction, companyId, noted, today);
    for (const { id } of documents) await noteExpired(services, transaction, { id, company_id: companyId });
    const last = documents.length < documentsAtOnce ? undefined : documents.at(-1);
    await setNoted(transaction, companyId, last ? `${last.expire_date} ${last.id}` : today);
    return last !== undefined;
  });

async function notedOf(db: Db, companyId: number, now: Date) {
  const { expiries_noted, timezone } = await db
    .selectFrom("companies")
    .where("id", "=", companyId)
    .select(["expiries_noted", "timezone"])
    .executeTakeFirstOrThrow();
  return progressOf(expiries_noted ?? dateIn(timezone, now));
}

/** Documents that expired and were not withdrawn before, in order of day and id. */
async function expired(db: Db, companyId: number, noted: Progress, today: string) {
  const rows = db
    .selectFrom("documents")
    .where("company_id", "=", companyId)
    .where("expire_date", ">=", noted.day)
    .where("expire_date", "<", today)
    .where(({ eb, or }) => or([eb("expire_date", ">", noted.day), eb("id", ">", noted.id)]))
    .orderBy("expire_date")
    .orderBy("id")
    .limit(documentsAtOnce)
    .select((eb) => ["id", eb.ref("expire_date").$notNull().as("expire_date")]);
  // Each has an index of its own: the list, and the archive.
  const listed = await rows.where("status", "<>", "archived").where("status", "=", "active").execute();
  const archived = await rows.where("status", "=", "archived").where("status_before_archive", "=", "active").execute();
  const all = [...listed, ...archived].toSorted(
    (one, other) => one.expire_date.localeCompare(other.expire_date) || one.id - other.id,
  );
  return all.slice(0, documentsAtOnce);
}

type Row = { id: number; company_id: number };

function noteExpired(services: Noticing, db: Db, { id, company_id }: Row) {
  return enqueueEvent(services, db, { type: event, data: { document_id: id }, company_id, at: services.now() });
}

type Dated = Pick<Tables["documents"], "status" | "expire_date">;

/**
 * Notes that a document has expired because a user changed it: to an earlier date, or back from withdrawn. What expires
 * by itself is enqueued by the job.
 */
export async function noteChangedExpiry(
  services: Noticing,
  db: Db,
  document: Row,
  { before, after }: { before?: Dated; after: Dated },
) {
  if (after.status !== "active" || after.expire_date === null) return;
  const noted = await notedOf(db, document.company_id, services.now());
  const isNoted = ({ status, expire_date }: Dated) =>
    status === "active" &&
    expire_date !== null &&
    (expire_date < noted.day || (expire_date === noted.day && document.id <= noted.id));
  if (isNoted(after) && !(before && isNoted(before))) await noteExpired(services, db, document);
}
