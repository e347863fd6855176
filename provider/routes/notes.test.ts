import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { checkedBulkIssue } from "#fixtures/bulk-issues.ts";
import { asFile, pdfFile } from "#fixtures/files.ts";
import { hasDatabase, testProvider } from "#fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());

const pageFile = (name: string) => readFile(new URL(`../../tests/fixtures/page-notes/${name}`, import.meta.url));
const blank = "“white-on-transparent.png” is blank on white paper: nothing can be seen on its first page";

suite("Notes on page files", () => {
  test("are in the reply of storeDocument, and stay with the document", async () => {
    const { company, issue, call } = await testProvider();
    const { admin } = await company();
    const name = "white-on-transparent.png";
    const pages = [asFile(await pdfFile(0), "lease.pdf"), asFile(await pageFile(name), name)];
    const { status, json } = await issue(admin.token, {}, pages);
    expect([status, json.notes]).toEqual([201, [blank]]);
    const { json: document } = await call("getDocument", { token: admin.token, params: { id: json.id } });
    expect(document.notes).toEqual([blank]);
  });

  test("are on each row of a bulk issue once it is checked, counted, and gone with a change", async () => {
    const provider = await testProvider();
    const { admin } = await provider.company();
    const files = { "a.pdf": await pdfFile(0), "white-on-transparent.png": await pageFile("white-on-transparent.png") };
    const rows = Object.keys(files).map((file, n) => [`BULK-${n}`, "Ann", file]);
    const { about } = await checkedBulkIssue(provider, admin.token, { rows, files });
    const notes = async () => {
      const { json } = await provider.call("getBulkIssue", about);
      const { json: listed } = await provider.call("listBulkRows", about);
      return [json.wrong, json.noted, ...listed.map((row: { notes: string[] }) => row.notes)];
    };
    expect(await notes()).toEqual([0, 1, [], [blank]]);
    await provider.call("startBulkIssue", { ...about, body: { leave_out_wrong: false } });
    await provider.run("bulk issues");
    expect(await notes()).toEqual([0, 1, [], [blank]]);
    const other = await checkedBulkIssue(provider, admin.token, { rows: [["OTHER", "Ann", "a.pdf"]], files });
    const { json } = await provider.call("getBulkIssue", other.about);
    expect(json.noted).toBe(0);
  });
});
