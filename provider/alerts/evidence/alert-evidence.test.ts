import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { inspectPdf, opensslOf, without } from "#tests/fixtures/pdf-programs.ts";
import { afterTests, hasDatabase } from "#tests/fixtures/provider.ts";
import { london, manchester, withScans } from "#tests/fixtures/scans.ts";

const suite = describe.runIf(hasDatabase());
const directory = await mkdtemp(join(tmpdir(), "sealdesk-evidence-"));
afterTests(() => rm(directory, { recursive: true }));

const run = promisify(execFile);
let files = 0;

/** A paper that was scanned in two places at once, with a visitor's complaint. */
async function withAlert() {
  const world = await withScans({ name: "Lease of a hall", number: "NM-EVIDENCE" });
  const { call, params, scan, admin, document } = world;
  await call("getSealedPdf", { token: admin.token, params: { id: document.id } });
  const first = await scan({ address: "198.51.100.1" });
  const second = await scan({ address: "198.51.100.2" });
  await call("locateScan", { params, body: { scan: first, ...manchester } });
  await call("locateScan", { params, body: { scan: second, ...london } });
  const text = "Its stamp says Договор.\nNobody signed it.";
  await call("complain", { params, body: { scan: second, text, contact: "vera@visitor.example" } });
  const raised = await world.alerts();
  const idOf = (type: string) => raised.find(({ alert }: { alert: string }) => alert === type).id as number;
  const evidence = (id: number, token = admin.token) => call("getAlertEvidence", { token, params: { id } });
  return { ...world, idOf, evidence };
}

/** Where a reply was stored, and its text by pdftotext. */
async function read(bytes: Uint8Array) {
  const path = join(directory, `${++files}.pdf`);
  await writeFile(path, bytes);
  const { stdout: text } = await run("pdftotext", ["-layout", path, "-"]);
  return { path, text: text.replaceAll(/\s+/g, " ") };
}

suite("GET /alerts/{id}/evidence.pdf", () => {
  test("shows the facts of the alert, the document, its scans and its history", async () => {
    const { evidence, idOf, call, admin, db } = await withAlert();
    const id = idOf("Fake scan");
    await call("completeAlert", { token: admin.token, params: { id }, body: { note: "The paper was a copy" } });
    const { bytes, headers } = await evidence(id);
    expect(headers.get("content-disposition")).toMatch(/^attachment; filename="AL-00000\d evidence.pdf"$/);
    const { text } = await read(bytes);
    const { sha256 } = await db.selectFrom("sealed_files").select("sha256").executeTakeFirstOrThrow();
    for (const fact of [
      /Evidence of alert AL-00000\d Made by/,
      admin.email,
      "21-11-2026 10:00:00 +00:00",
      "Lease of a hall",
      "NM-EVIDENCE",
      sha256,
      "51.50720, -0.12760 ± 30 m",
      "53.48080, -2.24260 ± 30 m",
      "State when made in force",
      "Status completed",
      "The paper was a copy",
      "status: open › completed",
      "Page 1 of 2",
      "https://sealdesk.example/.well-known/sealdesk-root.pem",
    ]) {
      expect(text).toMatch(fact);
    }
  });

  test.skipIf(without("pdfsig") || without("openssl"))("is signed so that other programs confirm it", async () => {
    const { evidence, idOf, db, services } = await withAlert();
    const { bytes } = await evidence(idOf("Fake scan"));
    const { path } = await read(bytes);
    const signatures = await inspectPdf.pdfsig(path);
    expect(signatures).toContain("Signature is Valid.");
    expect(signatures).toContain("Total document signed");
    const { certificate } = await db.selectFrom("seal_roots").select("certificate").executeTakeFirstOrThrow();
    const root = join(directory, "root.pem");
    await writeFile(
      root,
      `-----BEGIN CERTIFICATE-----\n${certificate.match(/.{1,64}/g)!.join("\n")}\n-----END CERTIFICATE-----\n`,
    );
    expect(await opensslOf(path, root)).toContain("CAdES Verification successful");
    expect(await inspectPdf.qpdf(path)).toContain("No syntax or stream encoding errors found");
    const changed = Buffer.from(await readFile(path));
    const at = changed.indexOf("FlateDecode");
    changed[at + 200]! ^= 1;
    await writeFile(path, changed);
    expect(await inspectPdf.pdfsig(path)).not.toContain("Signature is Valid.");
    expect((await Array.fromAsync(services.files.list("documents"))).some((name) => name.includes("evidence"))).toBe(
      false,
    );
  });

  test("shows a complaint, and has characters exactly that the font lacks", async () => {
    const { evidence, idOf } = await withAlert();
    const { bytes } = await evidence(idOf("Complaint"));
    const { path, text } = await read(bytes);
    expect(text).toContain("“Its stamp says ???????.");
    expect(text).toContain("vera@visitor.example");
    expect(text).toMatch(/“\?” stands for \d+ characters that this file’s font lacks/);
    const attached = join(directory, "attached.json");
    await run("pdfdetach", ["-save", "1", "-o", attached, path]);
    const { scans } = JSON.parse(await readFile(attached, "utf8"));
    expect(scans.at(-1).complaint).toBe("Its stamp says Договор.\nNobody signed it.");
  });

  test("rounds places and leaves out contacts and the document for those without the rights", async () => {
    const { evidence, idOf, companyId, group, user } = await withAlert();
    await group(companyId, "Alerts only", { alerts: "C:R" });
    const clerk = await user(companyId, { group: "Alerts only" });
    const { text, path } = await read((await evidence(idOf("Complaint"), clerk.token)).bytes);
    expect(text).toContain("51.51000, -0.13000 ± 1000 m (rounded)");
    expect(text).toContain("Owner, state and sealed PDFs are left out");
    expect(text).not.toContain("vera@visitor.example");
    const attached = join(directory, "rounded.json");
    await run("pdfdetach", ["-save", "1", "-o", attached, path]);
    expect(await readFile(attached, "utf8")).not.toMatch(/vera@|51\.5072/);
  });

  test("has the comments with who wrote them and when, and says that one was removed", async () => {
    const { evidence, idOf, call, admin } = await withAlert();
    const params = { id: idOf("Fake scan") };
    expect((await read((await evidence(params.id)).bytes)).text).toContain("No user has written one.");
    const write = async (text: string) =>
      (await call("addComment", { token: admin.token, params, body: { text } })).json.id as number;
    await write("Called the landlord: he knows nothing of it.");
    const n = await write("Wrong alert");
    await call("removeComment", { token: admin.token, params: { ...params, n } });
    const { text } = await read((await evidence(params.id)).bytes);
    const [author] = (await call("listComments", { token: admin.token, params })).json;
    const by = `21-11-2026 10:00:00 +00:00 ${author.author}`;
    expect(text).toContain(`Comments on the alert At By Comment ${by} Called the landlord: he knows nothing of it.`);
    expect(text).toContain(`${by} (removed by its author)`);
    expect(text).not.toContain("Wrong alert");
    expect(text).not.toMatch(/left out\./);
  });

  test("has the newest hundred comments, shortened, and says how many are left out", async () => {
    const { evidence, idOf, db, admin } = await withAlert();
    const id = idOf("Fake scan");
    const { id: author_id } = await db
      .selectFrom("users")
      .where("email", "=", admin.email)
      .select("id")
      .executeTakeFirstOrThrow();
    const comment = { alert_id: id, author_id, at: "2026-11-21T11:00:00.000Z" };
    const texts = Array.from({ length: 130 }, (_, n) => `Line ${n}. ${"a\n".repeat(900)}`);
    await db
      .insertInto("alert_comments")
      .values(texts.map((text) => ({ ...comment, text })))
      .execute();
    const { text } = await read((await evidence(id)).bytes);
    expect(text).toContain("The newest 100; 30 older ones are left out.");
    expect(text).not.toContain("Line 29.");
    expect(text).toContain("Line 30.");
    expect(text).toContain("Line 129.");
    expect(text.match(/\(shortened here; the attached file has it whole\)/g)).toHaveLength(100);
  });

  test("is bounded, and its tables go on over pages", async () => {
    const { evidence, idOf, db, companyId, document } = await withAlert();
    const id = idOf("Fake scan");
    const scan = { company_id: companyId, document_id: document.id, at: "2026-11-21T11:00:00.000Z", day: "2026-11-21" };
    const more = { address_hash: "", key_hash: "", place: "", staff: 0, suspicion: 1 };
    const rows = Array.from({ length: 120 }, () => ({ ...scan, ...more }));
    const added = await db.insertInto("scans").values(rows).returning("id").execute();
    const links = added.map((row) => ({ alert_id: id, scan_id: row.id }));
    await db.insertInto("alert_scans").values(links).execute();
    const complaints = added.map((row) => ({ scan_id: row.id, text: "a\n".repeat(500), contact: "", at: scan.at }));
    await db.insertInto("complaints").values(complaints).execute();
    const { text } = await read((await evidence(id)).bytes);
    expect(text).toContain("The newest 100; there are older ones.");
    expect(text.match(/\(shortened here; the attached file has it whole\)/g)).toHaveLength(100);
    const [, pages] = /Page 1 of (\d+)/.exec(text)!;
    expect(text).toContain(`Page ${pages} of ${pages}`);
    expect(text.match(/Report and contact/g)!.length).toBeGreaterThan(50);
  });

  test("is noted in the audit trail of access, and limited for each user", async () => {
    const { evidence, idOf, call, admin } = await withAlert();
    const id = idOf("Complaint");
    expect((await evidence(id)).status).toBe(200);
    const { json } = await call("listAudit", { token: admin.token, query: { trail: "access", action: "downloaded" } });
    const files = json.map(({ changes }: { changes: { after: string }[] }) => changes[0]!.after);
    expect(files).toContainEqual(expect.stringMatching(/^Evidence of AL-00000\d$/));
    for (let n = 1; n < 30; n++) await evidence(id);
    expect((await evidence(id)).status).toBe(429);
  });
});
