import { randomUUID } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { type Insertable, sql } from "kysely";
import sharp from "sharp";
import { fold } from "#storage/text.ts";
import type { Received } from "#intake/form-body.ts";
import { type Actor } from "#provider/access.ts";
import { alertTypes, completed } from "#provider/contract/alerts.ts";
import { everyone } from "#provider/contract/document-options.ts";
import { documentFields, storeDocument } from "#provider/contract/document-form.ts";
import { issueDocument, type Issuer } from "#provider/documents/issue.ts";
import { drawOpenPages } from "#provider/documents/open-pages.ts";
import { hashPassword } from "#provider/passwords/passwords.ts";
import type { Services } from "#provider/services.ts";
import { everyArea, insertCompany, nameColumns, newUser } from "#provider/sessions/signup.ts";
import { alertNumber } from "#provider/db/alerts.ts";
import { audit } from "#provider/db/audit.ts";
import { auditedDocument } from "#provider/db/documents.ts";
import { inCompanyTransaction } from "#provider/db/company.ts";
import { sealQueued } from "#provider/seal/seal-queue.ts";
import { dateIn } from "#provider/calendar.ts";
import { seededRandom } from "./random.ts";
import * as sample from "./sample-company.ts";
import type { Tables } from "#provider/db/tables.ts";
import { samplePdf, type Sheet } from "./sample-pages.ts";
import { auditedUser } from "#provider/db/users.ts";
import { daysInMs, hoursInMs, minutesInMs } from "#units";

/** The sign-in of the sample company's first user; all five have this password. */
export const sampleSignIn = { email: sample.emailOf(sample.users[0][0]), password: "seal-desk-demo" };

/** Whether the database has no company, a company, or an incomplete sample company. */
export async function seedState({ db }: Services): Promise<"empty" | "whole" | "half"> {
  const companies = await db.selectFrom("companies").select("active").execute();
  if (companies.length === 0) return "empty";
  return companies.some(({ active }) => active === 1) ? "whole" : "half";
}

/** Fills an empty database with the sample company. Dates count back from today. */
export async function seedSample(services: Services) {
  const { db, now } = services;
  const password_hash = await hashPassword(sampleSignIn.password);
  const founder = { company: sample.company.name, name: sample.users[0][0], email: sampleSignIn.email };
  const administratorId = await insertCompany(db, founder, password_hash, now());
  const { company_id } = await db
    .selectFrom("users")
    .where("id", "=", administratorId)
    .select("company_id")
    .executeTakeFirstOrThrow();
  const company = db.updateTable("companies").where("id", "=", company_id);
  // Inactive, so that no user can sign in before it is complete.
  await company.set({ ...sample.company, active: 0 }).execute();
  const administrator = { id: administratorId, name: founder.name, company_id };
  await seedPeople(services, administrator, password_hash);
  for (const document of sample.documents.toReversed()) await seedDocument(services, document);
  const signal = new AbortController().signal;
  await drawOpenPages(services, signal);
  await seedScans(services, company_id);
  await seedAlerts(services, administrator);
  for (const document of sample.pastDocuments) await seedDocument(services, document);
  for (const document of sample.pastDocuments) await withdraw(services, document);
  await sealQueued(services, signal);
  await company.set({ active: 1 }).execute();
}

type Founder = Pick<Actor, "id" | "name" | "company_id">;

async function seedPeople({ db, now }: Services, founder: Founder, password_hash: string) {
  const { company_id } = founder;
  for (const [name, country, city, index, address] of sample.branches) {
    const email = `${fold(city)}@hallam.example`;
    const contact = { email, phone: sample.company.phone, country, city, index, address, image_key: null };
    await db
      .insertInto("branches")
      .values({ ...contact, company_id, name, name_key: fold(name), manager_id: null, active: 1, version: 1 })
      .execute();
  }
  const branches = await db.selectFrom("branches").where("company_id", "=", company_id).selectAll().execute();
  const groups = await db.selectFrom("access_groups").where("company_id", "=", company_id).selectAll().execute();
  for (const [name, role, staff, branchName] of sample.users) {
    const branch = branches.find((branch) => branch.name === branchName)!;
    const place = { branch_id: branch.id, country: branch.country, city: branch.city, index: branch.index, role };
    const email = sample.emailOf(name);
    const user = { ...newUser, ...place, company_id, password_hash, created_at: now().toISOString() };
    const { id } = await db
      .insertInto("users")
      .values({
        ...user,
        ...nameColumns(name, email),
        access_group_id: groups.find((group) => group.name === staff)!.id,
      })
      .onConflict((conflict) =>
        conflict
          .column("email_key")
          .where(sql<boolean>`active = 1`)
          .doUpdateSet(place),
      )
      .returning("id")
      .executeTakeFirstOrThrow();
    if (id === founder.id) continue;
    await audit(db, {
      actor: founder,
      action: "added",
      subject: { entity: "user", id, name },
      at: now(),
      after: await auditedUser(db, id),
    });
  }
  for (const [branchName, , , , , manager] of sample.branches) {
    await db
      .updateTable("branches")
      .set((eb) => ({
        manager_id: eb
          .selectFrom("users")
          .where("email_key", "=", fold(sample.emailOf(manager)))
          .select("users.id"),
      }))
      .where("company_id", "=", company_id)
      .where("name", "=", branchName)
      .execute();
  }
}

/** Issues a document as its owner on its day. */
async function seedDocument(services: Services, document: sample.SampleDocument) {
  const issued = new Date(services.now().getTime() - daysInMs(document.daysAgo));
  const actor = await ownerAsActor(services, document.owner);
  const folder = `documents/${randomUUID()}`;
  const date = dateIn(actor.timezone, issued);
  const expires = document.validDays && new Date(Date.parse(date) + daysInMs(document.validDays));
  const [document_type, document_subtype] = document.type;
  const draft = storeDocument.body.parse({
    document_type,
    document_subtype,
    date,
    number: document.number,
    name: document.name,
    email: actor.email,
    expire_type: expires ? "date" : "never",
    expire_date: expires ? expires.toISOString().slice(0, 10) : "",
    access_type: document.access ?? documentFields.access_type.options[0],
    users_access_group: everyone,
    prolongation: document.prolongation ?? false,
    custom_fields: (document.fields ?? []).map(([name, value]) => ({ name, value })),
    qr_placing: document.placing,
  } satisfies Record<keyof typeof storeDocument.body.shape, unknown>);
  const received: Received[] = [];
  for (const [name, sheets] of Object.entries(document.files)) {
    const key = `${folder}/${received.length + 1}`;
    const content = await sampleFile(services, name, sheets);
    received.push({
      ...(await services.files.put(key, Readable.from([content]))),
      name,
      key,
      truncated: false,
    });
  }
  const write: Issuer["write"] = (work) =>
    inCompanyTransaction(services.db, actor.company_id, (transaction) => work(transaction, actor));
  const sent = { draft, received, folder, key: undefined };
  await issueDocument({ ...services, now: () => issued }, { actor, write }, sent);
}

/** Withdraws a document on its day, if it has one. */
async function withdraw(services: Services, { number, owner, exitedDaysAgo }: sample.SampleDocument) {
  if (exitedDaysAgo === undefined) return;
  const { db, now } = services;
  const at = new Date(now().getTime() - daysInMs(exitedDaysAgo));
  const actor = await ownerAsActor(services, owner);
  const document = db.selectFrom("documents").where("company_id", "=", actor.company_id).where("number", "=", number);
  const { id, name } = await document.select(["id", "name"]).executeTakeFirstOrThrow();
  const before = await auditedDocument(db, id);
  const change = { status: "exited", status_since: at.toISOString(), version: 2 } as const;
  await db.updateTable("documents").set(change).where("id", "=", id).execute();
  const subject = { entity: "document", id, name } as const;
  await audit(db, { actor, action: "exited", subject, at, before, after: await auditedDocument(db, id) });
}

type Scan = Omit<Insertable<Tables["scans"]>, "id">;

async function seedScans({ db, now }: Services, company_id: number) {
  const documents = await db.selectFrom("documents").where("company_id", "=", company_id).select("id").execute();
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
      scans.push({ ...bareScan(company_id, pick(documents).id, at), ...place, staff: random() < 0.13 ? 1 : 0 });
    }
  }
  for (let first = 0; first < scans.length; first += 200) {
    await db
      .insertInto("scans")
      .values(scans.slice(first, first + 200))
      .execute();
  }
}

/** A scan without place and key. */
const bareScan = (company_id: number, document_id: number, at: Date) => ({
  company_id,
  document_id,
  at: at.toISOString(),
  day: dateIn("Europe/London", at),
  address_hash: "",
  key_hash: "",
  place: "",
  suspicion: 0,
  staff: 0,
  verdict: "in force" as const,
});

async function seedAlerts({ db, now }: Services, founder: Founder) {
  const { company_id } = founder;
  for (const [index, { document, daysAgo, place, ...alert }] of sample.alerts.toReversed().entries()) {
    const { id: document_id } = await db
      .selectFrom("documents")
      .where("company_id", "=", company_id)
      .where("number", "=", document)
      .select("id")
      .executeTakeFirstOrThrow();
    const date = new Date(now().getTime() - daysInMs(daysAgo) - hoursInMs(1));
    const [latitude, longitude, accuracy] = place ?? [null, null, null];
    const { note = "", before = [], alert: type, reason } = alert;
    const { id: alert_id } = await db
      .insertInto("alerts")
      .values({
        company_id,
        document_id,
        number: index + 1,
        rule: fold(type),
        day: dateIn("Europe/London", date),
        alert: type,
        status: note ? completed : alertTypes[type],
        date: date.toISOString(),
        latitude,
        longitude,
        accuracy,
        reason,
        count: 1,
        note,
        version: 1,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    if (note) {
      const subject = { entity: "alert", id: alert_id, name: alertNumber(index + 1) } as const;
      const change = { before: { status: alertTypes[type], note: "" }, after: { status: completed, note } };
      const at = new Date(date.getTime() + hoursInMs(1));
      await audit(db, { actor: founder, action: "completed", subject, at, ...change });
    }
    const scan = async (earlier: number, [latitude, longitude, accuracy]: readonly (number | null)[]) => {
      const at = new Date(date.getTime() - minutesInMs(earlier));
      const row = { ...bareScan(company_id, document_id, at), latitude, longitude, accuracy, suspicion: 1 };
      const { id: scan_id } = await db.insertInto("scans").values(row).returning("id").executeTakeFirstOrThrow();
      await db.insertInto("alert_scans").values({ alert_id, scan_id }).execute();
      return scan_id;
    };
    for (const { minutes, place = [null, null, null] } of before) await scan(minutes, place);
    const scan_id = await scan(0, [latitude, longitude, accuracy]);
    if (type !== "Complaint") continue;
    const text = reason.replace(/[“”]/g, "");
    await db.insertInto("complaints").values({ scan_id, text, contact: "", at: date.toISOString() }).execute();
  }
}

/** The owner of a sample document, with an administrator's rights. */
async function ownerAsActor({ db }: Services, name: string): Promise<Actor> {
  const owner = await db
    .selectFrom("users")
    .innerJoin("companies", "companies.id", "users.company_id")
    .where("users.email_key", "=", fold(sample.emailOf(name)))
    .select(["users.id", "users.company_id", "users.branch_id", "users.access_group_id", "users.name", "users.email"])
    .select("companies.timezone")
    .executeTakeFirstOrThrow();
  return { ...owner, permissions: everyArea("C:R/W/C") };
}

/** A page file of the kind in its name: a PDF, or a picture of its one sheet. */
async function sampleFile({ files, pageFiles }: Services, name: string, sheets: Sheet[]): Promise<Uint8Array> {
  const pdf = await samplePdf(sample.company.name, sheets);
  if (name.endsWith(".pdf")) return pdf;
  const [path, to] = [await files.workPath(randomUUID()), await files.workPath(randomUUID())];
  try {
    await writeFile(path, pdf);
    await pageFiles.work({ tenant: "sample", priority: "background" }, (jobs) =>
      jobs.draw({ path, type: "application/pdf", page: 1, size: "large", to }),
    );
    const picture = sharp(await readFile(to));
    return await (name.endsWith(".png") ? picture.png({ palette: true }) : picture.jpeg({ quality: 80 })).toBuffer();
  } finally {
    await Promise.all([rm(path, { force: true }), rm(to, { force: true })]);
  }
}
