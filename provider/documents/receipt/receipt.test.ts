import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { inspectPdf } from "#tests/fixtures/pdf-programs.ts";
import { afterTests, hasDatabase } from "#tests/fixtures/provider.ts";
import { manchester, withScans } from "#tests/fixtures/scans.ts";

const suite = describe.runIf(hasDatabase());
const directory = await mkdtemp(join(tmpdir(), "sealdesk-receipt-"));
afterTests(() => rm(directory, { recursive: true }));
const run = promisify(execFile);

async function withReceipt() {
  const custom = { "custom_fields[0][name]": "Bank", "custom_fields[0][value]": "Northern Trade" };
  const world = await withScans({ name: "Lease of a hall", number: "NM-RECEIPT", copies: "2", ...custom });
  const { call, admin, document, scan, params } = world;
  await call("getSealedPdf", { token: admin.token, params: { id: document.id } });
  await call("locateScan", { params, body: { scan: await scan({ address: "198.51.100.1" }), ...manchester } });
  const receipt = async (token = admin.token) => call("getReceipt", { token, params: { id: document.id } });
  const read = async (bytes: Uint8Array) => {
    const path = join(directory, `${Math.random()}.pdf`);
    await writeFile(path, bytes);
    const { stdout } = await run("pdftotext", ["-layout", path, "-"]);
    return { path, text: stdout.replaceAll(/\s+/g, " ") };
  };
  return { ...world, receipt, read };
}

suite("GET /documents/{id}/receipt.pdf", () => {
  test("says what the document is, its files, seal, copies, scans and history, signed", async () => {
    const { receipt, read, db, document, call, admin } = await withReceipt();
    const about = { token: admin.token, params: { id: document.id } };
    await call("withdrawCopy", { ...about, params: { ...about.params, n: 2 }, body: { reason: "lost" } });
    await call("exitDocument", { ...about, body: { note: "Signed anew" } });
    const { bytes, headers } = await receipt();
    expect(headers.get("content-disposition")).toBe('attachment; filename="NM-RECEIPT receipt.pdf"');
    const { text, path } = await read(bytes);
    const sealed = await db.selectFrom("sealed_files").select("sha256").execute();
    const [file] = await db.selectFrom("page_files").select("sha256").execute();
    for (const fact of [
      "Receipt of NM-RECEIPT",
      "Lease of a hall",
      "State when made withdrawn",
      "Withdrawn because Signed anew",
      "Bank Northern Trade",
      document.verify_url,
      ...sealed.map(({ sha256 }) => sha256),
      "lost",
      "Manchester, GB",
      "53.48080, -2.24260 ± 30 m",
      "issued",
      "status: “active” › “exited”",
      /Page 1 of \d/,
    ]) {
      expect(text).toMatch(fact);
    }
    expect(text.replaceAll(" ", "")).toContain(file!.sha256);
    const said = await inspectPdf.pdfsig(path);
    expect(said).toContain("Signature is Valid.");
    expect(said).toContain("Total document signed");
    await run("pdfdetach", ["-save", "1", "-o", `${path}.json`, path]);
    const data = JSON.parse(await readFile(`${path}.json`, "utf8"));
    expect(data.document).toMatchObject({
      number: "NM-RECEIPT",
      custom_fields: [{ name: "Bank", value: "Northern Trade" }],
    });
    expect(data.scans).toHaveLength(1);
    const { json } = await call("listAudit", { token: admin.token, query: { trail: "access", action: "downloaded" } });
    expect(JSON.stringify(json)).toContain("Receipt");
  });

  test("says where the holder adds it to a wallet, once it was sent and while the company has wallets on", async () => {
    const { receipt, read, document, call, admin } = await withReceipt();
    const { token } = admin;
    const says = async () => (await read((await receipt()).bytes)).text.includes("For a wallet http");
    await call("updateWallet", { token, body: { active: true } });
    expect(await says()).toBe(false);
    await call("updateRecipientSettings", { token, body: { delivers: "1", delivery_days: "90" } });
    const rita = { name: "Rita", email: "rita@recipient.example", language: "en" };
    await call("sendDocument", { token, params: { id: document.id }, body: rita });
    expect(await says()).toBe(true);
    await call("updateWallet", { token, body: { active: false } });
    expect(await says()).toBe(false);
  });

  test("leaves scans out for those who may not see them, and is not given for documents out of reach", async () => {
    const { receipt, read, companyId, group, user, company } = await withReceipt();
    await group(companyId, "Documents only", { docs: "C:R" });
    const clerk = await user(companyId, { group: "Documents only" });
    const { text } = await read((await receipt(clerk.token)).bytes);
    expect(text).toContain("Left out: the access group of");
    expect(text).not.toContain("53.48");
    const { admin: other } = await company();
    expect((await receipt(other.token)).status).toBe(404);
  });
});
