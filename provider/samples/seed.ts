import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { Readable } from "node:stream";
import sharp from "sharp";
import { foldEmail } from "#lib/text.ts";
import type { Received } from "#lib/intake/form-body.ts";
import { type Actor } from "../access.ts";
import { everyone } from "../contract/document-options.ts";
import { documentFields, storeDocument } from "../contract/document-form.ts";
import { withdrawCopyAs } from "../documents/copies/copies.ts";
import { issueDocument, type Issuer } from "../documents/issue.ts";
import { auditActions, transitions } from "../documents/lifecycle.ts";
import { drawOpenPages } from "../documents/open-pages.ts";
import { hashPassword } from "../passwords/passwords.ts";
import type { Services } from "../services.ts";
import { everyArea, insertCompany } from "../sessions/signup.ts";
import { audit } from "../audit/audit-queries.ts";
import { auditedDocument } from "../documents/document-queries.ts";
import { inCompanyTransaction } from "../company/company-queries.ts";
import { sealQueued } from "../seal/seal-queue.ts";
import { dateIn } from "../calendar/calendar.ts";
import { withWorkFile } from "#lib/storage/files/work-file.ts";
import { pastDocuments } from "./past-documents.ts";
import * as sample from "./sample-company.ts";
import { documentActs, foundedDaysAgo, withdrawnCopy } from "./sample-history.ts";
import { seedHistory } from "./seed-history.ts";
import { seedPeople } from "./seed-people.ts";
import { seedAlerts, seedScans } from "./seed-scans.ts";
import { seedTemplate } from "./sample-template.ts";
import { samplePdf, type Sheet } from "./sample-pages.ts";
import { daysInMs } from "#lib/units.ts";

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
  const founded = new Date(now().getTime() - daysInMs(foundedDaysAgo));
  const administratorId = await insertCompany(db, founder, password_hash, founded);
  const { company_id } = await db
    .selectFrom("users")
    .where("id", "=", administratorId)
    .select("company_id")
    .executeTakeFirstOrThrow();
  const company = db.updateTable("companies").where("id", "=", company_id);
  // Inactive, so that no user can sign in before it is complete.
  await company.set({ ...sample.company, active: 0 }).execute();
  await seedPeople(services, company_id, password_hash);
  await seedHistory(services, company_id);
  for (const document of sample.documents.toReversed()) await seedDocument(services, document);
  for (const document of pastDocuments) await seedDocument(services, document);
  for (const act of documentActs) await seedAct(services, act);
  await seedWithdrawnCopy(services);
  await seedTemplate(services, company_id, sample.company.name);
  const signal = new AbortController().signal;
  await drawOpenPages(services, signal);
  await seedScans(services, company_id);
  await seedAlerts(services, company_id);
  await sealQueued(services, signal);
  await company.set({ active: 1 }).execute();
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
    copies: document.copies ?? 1,
  } satisfies Record<Exclude<keyof typeof storeDocument.body.shape, `re${"places" | "lease"}${string}`>, unknown>);
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
  const input = { draft, received, folder, key: undefined };
  await issueDocument({ ...services, now: () => issued }, { actor, write }, input);
}

/** Does to a document what its owner did on a day. */
async function seedAct(services: Services, { number, daysAgo, act }: (typeof documentActs)[number]) {
  const { db, now } = services;
  const { owner } = [...sample.documents, ...pastDocuments].find((document) => document.number === number)!;
  const actor = await ownerAsActor(services, owner);
  const at = new Date(now().getTime() - daysInMs(daysAgo));
  const documents = db.selectFrom("documents").where("company_id", "=", actor.company_id).where("number", "=", number);
  const { id, name, ...state } = await documents.selectAll().executeTakeFirstOrThrow();
  const before = await auditedDocument(db, id);
  const change = transitions[act](state)!;
  const since = change.status && {
    status_since: change.status === "active" ? null : (state.status_since ?? at.toISOString()),
  };
  await db
    .updateTable("documents")
    .set({ ...change, ...since, version: state.version + 1 })
    .where("id", "=", id)
    .execute();
  const subject = { entity: "document", id, name } as const;
  await audit(db, { actor, action: auditActions[act], subject, at, before, after: await auditedDocument(db, id) });
}

async function seedWithdrawnCopy(services: Services) {
  const { db, now } = services;
  const { number, n, daysAgo, reason, note } = withdrawnCopy;
  const { owner } = sample.documents.find((document) => document.number === number)!;
  const actor = await ownerAsActor(services, owner);
  const at = new Date(now().getTime() - daysInMs(daysAgo));
  const document = db.selectFrom("documents").where("company_id", "=", actor.company_id).where("number", "=", number);
  const { id } = await document.select("id").executeTakeFirstOrThrow();
  await inCompanyTransaction(db, actor.company_id, (transaction) =>
    withdrawCopyAs(transaction, actor, { id, n, reason, note, right: "write", at }),
  );
}

/** The owner of a sample document, with an administrator's rights. */
async function ownerAsActor({ db }: Services, name: string): Promise<Actor> {
  const owner = await db
    .selectFrom("users")
    .innerJoin("companies", "companies.id", "users.company_id")
    .where("users.email_key", "=", foldEmail(sample.emailOf(name)))
    .select(["users.id", "users.company_id", "users.branch_id", "users.access_group_id", "users.name", "users.email"])
    .select("companies.timezone")
    .executeTakeFirstOrThrow();
  return { ...owner, permissions: everyArea("C:R/W/C") };
}

/** A page file of the kind in its name: a PDF, or a picture of its one sheet. */
async function sampleFile({ files, pageFiles }: Services, name: string, sheets: Sheet[]): Promise<Uint8Array> {
  const pdf = await samplePdf(sample.company.name, sheets);
  if (name.endsWith(".pdf")) return pdf;
  return withWorkFile(files, (path) =>
    withWorkFile(files, async (to) => {
      await writeFile(path, pdf);
      await pageFiles.work({ tenant: "sample", priority: "background" }, (jobs) =>
        jobs.draw({ path, type: "application/pdf", page: 1, size: "large", to }),
      );
      const picture = sharp(await readFile(to));
      return (name.endsWith(".png") ? picture.png({ palette: true }) : picture.jpeg({ quality: 80 })).toBuffer();
    }),
  );
}
