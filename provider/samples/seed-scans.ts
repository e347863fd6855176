import { type Insertable, sql } from "kysely";
import { fold, foldEmail } from "#lib/text.ts";
import { dateIn } from "../calendar/calendar.ts";
import { alertTypes, completed } from "../contract/alerts.ts";
import { alertNumber } from "../alerts/alert-queries.ts";
import { audit } from "../audit/audit-queries.ts";
import type { Db, Tables } from "../db/tables.ts";
import { endedScan } from "../scans/judging/rules.ts";
import { endOfValidity, verdictOf } from "../scans/validity.ts";
import type { Services } from "../services.ts";
import { daysInMs, hoursInMs, minutesInMs } from "#lib/units.ts";
import { seededRandom } from "./random.ts";
import { alerts, type SampleAlert } from "./sample-alerts.ts";
import * as sample from "./sample-company.ts";

/** The sample company's scans and alerts. */

type Scan = Omit<Insertable<Tables["scans"]>, "id">;

/** Scans of documents that are in force, from their first day on. */
export async function seedScans({ db, now }: Services, company_id: number) {
  const documents = await db
    .selectFrom("documents")
    .where("company_id", "=", company_id)
    .selectAll()
    .select(sql<string>`${timezone}`.as("timezone"))
    .execute();
  const inForce = documents.filter((document) => !endOfValidity(document, now()));
  const random = seededRandom(0);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!;
  const near = (degrees: number) => Number((degrees + (random() - 0.5) / 8).toFixed(5));
  const scans: Scan[] = [];
  for (const [n, count] of sample.scansADay.toReversed().entries()) {
    for (let scan = 0; scan < count; scan++) {
      const at = new Date(now().getTime() - daysInMs(n + random() / 3));
      const [latitude, longitude] = pick(sample.scanPlaces);
      // Most scanners do not share their place.
      const place = random() < 0.4 ? { latitude: near(latitude), longitude: near(longitude), accuracy: 40 } : {};
      const { id, copies } = pick(inForce.filter(({ created_at }) => created_at < at.toISOString()));
      // The second copy of the one with several is lost.
      const copy = copies === 1 ? null : scans.length % 2 === 0 ? 1 : copies;
      scans.push({ ...bareScan(company_id, id, at), copy, ...place, staff: random() < 0.13 ? 1 : 0 });
    }
  }
  for (let first = 0; first < scans.length; first += 200) {
    await db
      .insertInto("scans")
      .values(scans.slice(first, first + 200))
      .execute();
  }
}

const timezone = "Europe/London";

/** A scan without place and key. */
const bareScan = (company_id: number, document_id: number, at: Date) => ({
  company_id,
  document_id,
  at: at.toISOString(),
  day: dateIn(timezone, at),
  address_hash: "",
  key_hash: "",
  place: "",
  suspicion: 0,
  staff: 0,
  verdict: "in force" as const,
});

/** Raises the sample's alerts, the oldest first, with the scans behind them and their handling. */
export async function seedAlerts(services: Services, company_id: number) {
  for (const [index, alert] of alerts.toReversed().entries()) await seedAlert(services, company_id, [index + 1, alert]);
}

const colleague = (db: Db, name: string) =>
  db
    .selectFrom("users")
    .where("email_key", "=", foldEmail(sample.emailOf(name)))
    .select(["id", "name", "company_id"])
    .executeTakeFirstOrThrow();

async function seedAlert(
  { db, now }: Services,
  company_id: number,
  [number, { document: documentNumber, daysAgo, place, before = [], alert: type, otherPaper, ...alert }]: [
    number,
    SampleAlert,
  ],
) {
  const document = await db
    .selectFrom("documents")
    .where("company_id", "=", company_id)
    .where("number", "=", documentNumber)
    .selectAll()
    .executeTakeFirstOrThrow();
  const date = new Date(now().getTime() - daysInMs(daysAgo) - hoursInMs(1));
  const ended = endOfValidity({ ...document, timezone }, date);
  const reason = alert.reason ?? endedScan(ended!).reason;
  const { note = "", outcome = "done", reopened = "" } = alert;
  const [seen, done] = alert.hours ?? [0.5, 1];
  const isSeen = note !== "" || alert.owner !== undefined;
  const [by, owner] = await Promise.all([
    colleague(db, alert.by ?? alert.owner ?? sample.users[0][0]),
    alert.owner ? colleague(db, alert.owner) : undefined,
  ]);
  const [latitude, longitude, accuracy] = place ?? [null, null, null];
  const status = alertTypes[type];
  const isDone = note !== "" && reopened === "";
  const after = (hours: number) => new Date(date.getTime() + hoursInMs(hours));
  const { id: alert_id } = await db
    .insertInto("alerts")
    .values({
      company_id,
      document_id: document.id,
      number,
      rule: fold(type),
      day: dateIn(timezone, date),
      alert: type,
      status: isDone ? completed : status,
      owner_id: owner?.id ?? null,
      case_state: isDone ? outcome : owner ? "in work" : "new",
      ...(isSeen && { first_seen_at: after(seen).toISOString(), first_seen_by: by.id }),
      ...(isDone && { completed_at: after(done).toISOString() }),
      date: date.toISOString(),
      latitude,
      longitude,
      accuracy,
      reason,
      count: 1,
      note,
      reopened_because: reopened,
      version: 1 + [owner, note, reopened].filter(Boolean).length,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const subject = { entity: "alert", id: alert_id, name: alertNumber(number) } as const;
  const open = { status, case_state: owner ? "in work" : "new" } as const;
  const entry = (hours: number, what: Omit<Parameters<typeof audit>[1], "subject" | "at">) =>
    audit(db, { ...what, subject, at: after(hours) });
  if (isSeen) await entry(seen, { actor: by, action: "first seen" });
  if (owner) {
    const before = { owner: "", case_state: "new" };
    await entry(seen, { actor: by, action: "assigned", before, after: { owner: owner.name, case_state: "in work" } });
  }
  for (const comment of alert.comments ?? []) {
    const author = await colleague(db, comment.by);
    const at = after(comment.hours).toISOString();
    const row = { alert_id, author_id: author.id, text: comment.text, at };
    const { id } = await db.insertInto("alert_comments").values(row).returning("id").executeTakeFirstOrThrow();
    await entry(comment.hours, { actor: author, action: "commented" });
    if (!comment.notified) continue;
    const user_id = (await colleague(db, comment.notified)).id;
    await db.insertInto("alert_mentions").values({ comment_id: id, user_id }).execute();
  }
  const raised = { ...open, note: "", reopened_because: "" };
  const completion = { status: completed, case_state: outcome, note, reopened_because: "" };
  if (note) await entry(done, { actor: by, action: "completed", before: raised, after: completion });
  if (reopened) {
    const again = { ...open, note, reopened_because: reopened };
    await entry(done + 24, { actor: by, action: "reopened", before: completion, after: again });
  }

  const scan = async (
    earlier: number,
    [latitude, longitude, accuracy]: readonly (number | null)[],
    verdict = verdictOf(ended, false),
  ) => {
    const at = new Date(date.getTime() - minutesInMs(earlier));
    const row = { ...bareScan(company_id, document.id, at), latitude, longitude, accuracy, suspicion: 1, verdict };
    const { id: scan_id } = await db.insertInto("scans").values(row).returning("id").executeTakeFirstOrThrow();
    await db.insertInto("alert_scans").values({ alert_id, scan_id }).execute();
    return scan_id;
  };
  for (const { minutes, place = [null, null, null] } of before) await scan(minutes, place);
  const scan_id = await scan(0, [latitude, longitude, accuracy], verdictOf(ended, otherPaper !== undefined));
  if (type !== "Complaint") return;
  const text = reason.replace(/[“”]/g, "");
  await db.insertInto("complaints").values({ scan_id, text, contact: "", at: date.toISOString() }).execute();
}
