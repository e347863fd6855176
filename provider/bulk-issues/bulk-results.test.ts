import { describe, expect, test } from "vitest";
import { openArchive } from "./content/archive.ts";
import { bulkIssue, checkedBulkIssue, withFile } from "#tests/fixtures/bulk-issues.ts";
import { pngFile } from "#tests/fixtures/files.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { temporaryFile } from "#tests/fixtures/tables.ts";

const suite = describe.runIf(hasDatabase());
const page = await pngFile();

/** A bulk issue that has issued two documents, and left one row out. */
async function done() {
  const provider = await testProvider();
  const { id: companyId, admin } = await provider.company();
  const rows = [
    ["BULK-1", "=Ann", "a.png"],
    ["BULK/2", "Ben", "a.png"],
    ["BULK-3", "Cleo", "none.png"],
  ];
  const { about, id } = await checkedBulkIssue(provider, admin.token, { rows, files: { "a.png": page } });
  await provider.call("startBulkIssue", { ...about, body: { leave_out_wrong: true } });
  await provider.run("bulk issues");
  return { ...provider, about, id, companyId, token: admin.token };
}

const textOf = ({ bytes }: { bytes: Uint8Array }) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

suite("GET /bulk-issues/{id}/documents", () => {
  test("lists the issued ones that the actor may read, in the table’s order", async () => {
    const { call, about, db } = await done();
    const { json, headers } = await call("listBulkDocuments", { ...about, query: { page: 1 } });
    expect(headers.get("x-total-count")).toBe("2");
    expect(json.map(({ line, number }: { line: number; number: string }) => [line, number])).toEqual([
      [2, "BULK-1"],
      [3, "BULK/2"],
    ]);
    const { code } = await db
      .selectFrom("documents")
      .where("number", "=", "BULK-1")
      .select("code")
      .executeTakeFirstOrThrow();
    expect(json[0].verify_url).toBe(`https://sealdesk.example/v/${code}`);
  });

  test("are not those whose right to read was lost", async () => {
    const { call, about, db, user, companyId } = await done();
    const una = await user(companyId, { name: "Una" });
    await db.updateTable("documents").set({ owner_id: una.id }).execute();
    await db.updateTable("access_groups").set({ docs: "P:R/W/C", roles: "" }).execute();
    expect((await call("listBulkDocuments", about)).json).toEqual([]);
  });
});

suite("GET /bulk-issues/{id}/result.csv", () => {
  test("is the table with numbers, addresses and reasons, without formulas", async () => {
    const { call, about, db } = await done();
    const text = textOf(await call("getBulkResult", about));
    const codes = await db.selectFrom("documents").orderBy("id").select("code").execute();
    const [first, second] = codes.map(({ code }) => `https://sealdesk.example/v/${code}`);
    expect(text.split("\r\n")).toEqual([
      '\uFEFF"Number","Name","File","Issued number","Address of the code","Why"',
      `"BULK-1","'=Ann","a.png","BULK-1","${first}",""`,
      `"BULK/2","Ben","a.png","BULK/2","${second}",""`,
      '"BULK-3","Cleo","none.png","","","File: “none.png” is not in the ZIP"',
      "",
    ]);
  });
});

suite("GET /bulk-issues/{id}/refused.csv", () => {
  test("has the wrong rows with a column that says why, and can be given back", async () => {
    const provider = await done();
    const { call, about, token } = provider;
    const refused = await call("getBulkRefused", about);
    expect(textOf(refused).split("\r\n").slice(1)).toEqual([
      '"BULK-3","Cleo","none.png","File: “none.png” is not in the ZIP"',
      "",
    ]);
    const next = await bulkIssue(provider, token);
    const body = withFile("table", Buffer.from(refused.bytes), "refused.csv");
    const { json } = await call("setBulkTable", { ...next.about, body });
    expect(json).toMatchObject({ rows: 1, columns: ["Number", "Name", "File", "Why"] });
    expect(json.mapping).toEqual(["number", "name", "file", ""]);
  });
});

suite("GET /bulk-issues/{id}/sealed.zip", () => {
  test("has each sealed PDF under a name that leads nowhere, once all are sealed", async () => {
    const { call, about, run } = await done();
    const early = await call("getBulkSealed", about);
    expect([early.status, early.json.message]).toEqual([409, expect.stringContaining("2 of the documents")]);
    await run("seals");
    const { status, headers, bytes } = await call("getBulkSealed", about);
    expect([status, headers.get("content-length")]).toEqual([200, String(bytes.length)]);
    const archive = await openArchive(temporaryFile(Buffer.from(bytes)));
    expect(archive.files).toBe(2);
    for (const name of ["BULK-1.pdf", "BULK-2.pdf"]) expect(archive.find(name)).toHaveProperty("path", name);
    archive.close();
  });

  test("is in the audit trail", async () => {
    const { call, about, run, token } = await done();
    await run("seals");
    await call("getBulkSealed", about);
    const { json } = await call("listAudit", { token, query: { trail: "access", action: "exported" } });
    expect(json[0].entity_name).toBe("Sealed PDFs of bulk issue 1");
  });
});

suite("The audit trail of bulk issues", () => {
  test("has each step in the company’s history, and each document in its own", async () => {
    const { call, token } = await done();
    const { json } = await call("listAudit", { token, query: { trail: "changes", per_page: 100 } });
    const steps = json.filter(({ action }: { action: string }) => /^bulk|^issued/.test(action));
    expect(steps.map(({ action }: { action: string }) => action).toReversed()).toEqual([
      "bulk issue started",
      "issued",
      "issued",
      "bulk issue finished",
    ]);
    expect(steps[0].changes).toEqual([
      { field: "bulk_issue", before: null, after: 1 },
      { field: "issued", before: null, after: 2 },
      { field: "refused", before: null, after: 0 },
    ]);
  });
});

suite("Old bulk issues", () => {
  test("are removed a month after their last change, with their files; documents stay", async () => {
    const provider = await done();
    const { run, db, clock, services, token } = provider;
    await bulkIssue(provider, token);
    clock.now = new Date("2026-12-20T10:00:00Z");
    await run("old bulk issues");
    expect((await db.selectFrom("bulk_issues").select("id").execute()).length).toBe(2);
    clock.now = new Date("2026-12-22T10:00:00Z");
    await run("old bulk issues");
    expect(await db.selectFrom("bulk_issues").select("id").execute()).toEqual([]);
    expect(await db.selectFrom("bulk_issue_rows").select("line").execute()).toEqual([]);
    expect(await Array.fromAsync(services.files.list("bulk-issues"))).toEqual([]);
    expect((await db.selectFrom("documents").select("id").execute()).length).toBe(2);
  });

  test("keep their ZIP through the job that removes files without a record", async () => {
    const provider = await testProvider();
    const { admin } = await provider.company();
    await bulkIssue(provider, admin.token);
    await provider.run("orphans");
    expect((await Array.fromAsync(provider.services.files.list("bulk-issues"))).length).toBe(1);
  });
});
