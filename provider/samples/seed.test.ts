import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { inspectPdf, opensslOf, saveAgain, without } from "#tests/fixtures/pdf-programs.ts";
import type { AuditEntry } from "../contract/audit.ts";
import { auditedDocument } from "../documents/document-queries.ts";
import { auditedUser } from "../users/user-queries.ts";
import { hasDatabase, type TestProvider, testProvider } from "#tests/fixtures/provider.ts";
import { comparePdfs } from "#lib/page-files/compare/compare.ts";
import { pemOf } from "#tests/fixtures/signer.ts";
import { oneIn } from "#tests/support/shares.ts";
import { sampleSignIn, seedSample } from "./seed.ts";

/** Days before summer time ended have another midnight. */
const hours = ["2026-11-25T23:30:00Z", "2026-07-01T23:30:00Z", "2026-04-10T00:10:00Z"];

test.runIf(hasDatabase()).each(oneIn(3, hours))("the sample company can be made at any hour, as at %s", async (now) => {
  const { services, clock, db } = await testProvider();
  clock.now = new Date(now);
  await seedSample(services);
  const { count } = await db
    .selectFrom("alerts")
    .select(({ fn }) => fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(12);
});

let seeded: Promise<TestProvider> | undefined;

/** The sample company, made once for the tests that only read it. */
const sample = () =>
  (seeded ??= testProvider().then(async (createdRecord) => (await seedSample(createdRecord.services), createdRecord)));

/** What is read of sealed PDFs alone is the same on each database. */
const isSqlite = inject("database") === "sqlite";

test.runIf(hasDatabase())("the sample company has its people, branches, documents, plans and help", async () => {
  const { call } = await sample();

  const { json: session } = await call("login", { body: sampleSignIn });
  const token = session.token as string;
  const { json: me } = await call("currentUser", { token });
  expect(me).toMatchObject({
    name: "Helen Marsh",
    plan: { name: "SilverState 1" },
    usage: { documents: 19, max_pages: 5000 },
  });

  const { json: documents } = await call("listDocuments", { token });
  const rows = documents.map((document: Record<string, string>) => [document.number, document.date, document.validity]);
  expect(rows.slice(0, 8)).toEqual(
    [
      ["NM-4C7H29", "2026-11-19"],
      ["NM-9KD3P1", "2026-11-18"],
      ["NM-72XQ08", "2026-11-18"],
      ["NM-B5T6R4", "2026-11-16"],
      ["NM-1ZM8V7", "2026-11-13"],
      ["NM-6HW0E5", "2026-11-12"],
      ["NM-P3N41K", "2026-11-10"],
      ["NM-8RJ7C2", "2026-11-09"],
    ].map((row) => [...row, "in force"]),
  );
  expect(rows.slice(8).map(([number, , validity]: string[]) => [number, validity])).toEqual([
    ["NM-R2P5K8", "withdrawn"],
    ["NM-W7D0T9", "withdrawn"],
    ["NM-V2H6QX", "in force"],
    ["NM-3E2XQK", "expired"],
    ["NM-H8W4QR", "in force"],
    ["NM-X7C0NV", "in force"],
    ["NM-E9P3TD", "expired"],
    ["NM-2YB6HM", "in force"],
    ["NM-F5K1ZA", "withdrawn"],
    ["NM-J3D8SG", "in force"],
    ["NM-K4S8VD", "in force"],
  ]);
  const archived = documents.filter(({ status }: { status: string }) => status === "archived");
  expect(archived.map(({ number }: { number: string }) => number)).toEqual(["NM-E9P3TD", "NM-F5K1ZA", "NM-J3D8SG"]);
  expect((await call("listBranches", { token })).json).toHaveLength(5);
  expect((await call("listUsers", { token })).json).toHaveLength(5);
  const { json: tariffs } = await call("listTariffs", { token });
  expect(tariffs).toHaveLength(8);
  expect(tariffs.filter(({ active }: { active: boolean }) => active)).toMatchObject([
    { name: "SilverState 1", extra_page: 0.5 },
  ]);
  const { json: help } = await call("listHelp", { token });
  expect(help.length).toBeGreaterThanOrEqual(12);
  const { json: templates } = await call("listTemplates", { token });
  const table = await readFile(join(import.meta.dirname, "certificates.csv"), "utf8");
  const columns = templates[0].columns.map((column: { name: string }) => column.name);
  expect(columns).toEqual(table.split("\n")[0]!.split(","));
});

/** Does something with local copies of all sealed PDFs. */
async function withSealedSamples(work: (paths: string[]) => Promise<unknown>) {
  const { db, services } = await sample();
  const sealed = await db
    .selectFrom("sealed_files")
    .innerJoin("documents", "documents.id", "sealed_files.document_id")
    .select(["documents.folder", "sealed_files.sha256"])
    .orderBy("document_id")
    .orderBy("copy")
    .execute();
  expect(sealed).toHaveLength(21);
  const keys = sealed.map(({ folder, sha256 }) => `${folder}/sealed-${sha256}.pdf`);
  await services.files.withLocalPaths(keys, work);
}

async function temporaryDirectory() {
  const directory = await mkdtemp(join(tmpdir(), "sealdesk-samples-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

test.runIf(isSqlite)("other programs find the sealed PDF of every sample document valid", async () => {
  const root = join(await temporaryDirectory(), "root.pem");
  const { db } = await sample();
  await withSealedSamples(async (paths) => {
    const { certificate } = await db.selectFrom("seal_roots").select("certificate").executeTakeFirstOrThrow();
    await writeFile(root, pemOf(Buffer.from(certificate, "base64")));
    for (const path of paths) {
      if (!without("pdfsig")) expect(await inspectPdf.pdfsig(path)).toMatch(/Total document signed[^]*is Valid/);
      if (!without("qpdf")) expect(await inspectPdf.qpdf(path)).toContain("No syntax or stream encoding errors found");
      if (!without("mutool")) expect(await inspectPdf.mutool(path)).toContain("is unchanged since signing");
      if (!without("openssl")) expect(await opensslOf(path, root)).toContain("CAdES Verification successful");
    }
  });
});

const savers = Object.entries(saveAgain).filter(([program]) => !without(program as keyof typeof saveAgain));

test.runIf(isSqlite)(
  "the sealed PDFs of sample documents look the same after programs saved them",
  async () => {
    const again = join(await temporaryDirectory(), "again.pdf");
    const changed: string[] = [];
    await withSealedSamples(async (paths) => {
      for (const sealed of paths) {
        for (const [program, save] of savers) {
          await save(sealed, again);
          const { changes } = await comparePdfs({ path: again, sealed, pictures: 0 });
          if (changes.length > 0) changed.push(`${sealed} by ${program}: ${JSON.stringify(changes)}`);
        }
      }
    });
    expect(changed).toEqual([]);
  },
  900_000,
);

test.runIf(hasDatabase())("the sample company's history of a year leads to what its records are today", async () => {
  const { call, db } = await sample();
  const entries = await db.selectFrom("audit").selectAll().orderBy("at").orderBy("id").execute();
  expect(entries.length).toBeGreaterThan(80);
  expect(new Set(entries.map(({ actor }) => actor)).size).toBeGreaterThanOrEqual(5);

  const states = new Map<string, Record<string, unknown>>();
  const created = new Set<string>();
  for (const { entity, entity_id, action, changes } of entries) {
    const key = `${entity} ${entity_id}`;
    const state = states.get(key) ?? {};
    if (["founded", "added", "issued"].includes(action)) created.add(key);
    else if (entity !== "alert") expect(created, `${key} is ${action} after it was created`).toContain(key);
    for (const { field, before, after } of JSON.parse(changes) as AuditEntry["changes"]) {
      // Of users and of a copy.
      if (action.startsWith("user moved") || action.startsWith("copy ")) continue;
      if (field in state || entity !== "alert") expect(before, `${key}: ${field}`).toEqual(state[field] ?? null);
      state[field] = after;
    }
    states.set(key, state);
  }
  const { json: login } = await call("login", { body: sampleSignIn });
  const { token } = login;
  const present = {
    branch: (id: number) => call("getBranch", { token, params: { id } }).then(({ json }) => json),
    "access group": (id: number) => call("getAccessGroup", { token, params: { id } }).then(({ json }) => json),
    alert: (id: number) => call("getAlert", { token, params: { id } }).then(({ json }) => json),
    company: () => call("getCompany", { token }).then(({ json }) => json),
    user: (id: number) => auditedUser(db, id),
    document: (id: number) => auditedDocument(db, id),
  };
  for (const [key, state] of states) {
    const [, entity, id] = /^(.+) (\d+)$/.exec(key) as unknown as [string, keyof typeof present, string];
    const record = await present[entity](Number(id));
    const audited = Object.fromEntries(Object.entries(state).map(([field, value]) => [field, value ?? ""]));
    const currentValues = Object.fromEntries(Object.keys(audited).map((field) => [field, record[field] ?? ""]));
    expect(currentValues, key).toEqual(audited);
  }
  const { json: branches } = await call("listBranches", { token });
  for (const params of branches) {
    const { json } = await call("branchHistory", { token, params, query: { per_page: 100 } });
    expect(json.length, params.name).toBeGreaterThan(3);
    const phones = json
      .flatMap(({ changes }: AuditEntry) => changes)
      .filter(({ field }: { field: string }) => field === "phone");
    expect(phones.length, `${params.name}: its phone was changed`).toBeGreaterThanOrEqual(2);
    expect(phones[0].after).toBe(params.phone);
  }
});

test.runIf(hasDatabase())(
  "every verdict can be shown from the sample company, and what a scan once said was true",
  async () => {
    const { call, db } = await sample();
    const codes = await db.selectFrom("documents").select(["number", "code"]).execute();
    const verdict = async (number: string, input = "") => {
      const { code } = codes.find((document) => document.number === number)!;
      return (await call("verify", { params: { code }, query: { number: input } })).json.verdict;
    };
    expect(await verdict("NM-4C7H29")).toBe("in force");
    expect(await verdict("NM-W7D0T9")).toBe("withdrawn");
    expect(await verdict("NM-3E2XQK")).toBe("expired");
    expect(await verdict("NM-J3D8SG"), "archived").toBe("in force");
    expect(await verdict("NM-4C7H29", "NM-6HW0E5")).toBe("other paper");
    const scans = await db
      .selectFrom("scans")
      .innerJoin("documents", "documents.id", "scans.document_id")
      .select(["scans.at", "scans.verdict", "documents.number", "created_at", "expire_date", "status_since"])
      .execute();
    expect(new Set(scans.map((scan) => scan.verdict))).toEqual(
      new Set(["in force", "withdrawn", "expired", "other paper"]),
    );
    for (const { number, at, created_at } of scans)
      expect(at > created_at, `${number} was scanned at ${at}`).toBe(true);
  },
);
