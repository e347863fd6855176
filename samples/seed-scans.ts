import { type Insertable, sql } from "kysely";
import { fold } from "#storage/text.ts";
import { dateIn } from "#provider/calendar.ts";
import { alertTypes, completed } from "#provider/contract/alerts.ts";
import { alertNumber } from "#provider/db/alerts.ts";
import { audit } from "#provider/db/audit.ts";
import type { Tables } from "#provider/db/tables.ts";
import { endedScan } from "#provider/scans/rules.ts";
import { endOfValidity, verdictOf } from "#provider/scans/validity.ts";
import type { Services } from "#provider/services.ts";
import { daysInMs, hoursInMs, minutesInMs } from "#units";
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

/** Raises the sample's alerts, the oldest first, with the scans behind them and what was done about them. */
export async function seedAlerts(services: Services, company_id: number) {
  for (const [index, alert] of alerts.toReversed().entries()) await seedAlert(services, company_id, [index + 1, alert]);
}

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
  const { note = "", outcome = "done", by = sample.users[0][0], reopened = "" } = alert;
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
      ...(isDone && { case_state: outcome, completed_at: after(1).toISOString() }),
      date: date.toISOString(),
      latitude,
      longitude,
      accuracy,
      reason,
      count: 1,
      note,
      reopened_because: reopened,
      version: 1 + (note ? 1 : 0) + (reopened ? 1 : 0),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const users = db.selectFrom("users").where("email_key", "=", fold(sample.emailOf(by)));
  const actor = await users.select(["id", "name", "company_id"]).executeTakeFirstOrThrow();
  const subject = { entity: "alert", id: alert_id, name: alertNumber(number) } as const;
  const states = [
    { status, case_state: "new", note: "", reopened_because: "" },
    { status: completed, case_state: outcome, note, reopened_because: "" },
    { status, case_state: "new", note, reopened_because: reopened },
  ] as const;
  const [raised, done, again] = states;
  if (note) await audit(db, { actor, action: "completed", subject, at: after(1), before: raised, after: done });
  if (reopened) await audit(db, { actor, action: "reopened", subject, at: after(25), before: done, after: again });

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
