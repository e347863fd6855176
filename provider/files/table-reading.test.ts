import { readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { ZipFile } from "yazl";
import { bulkIssue, whatForm, withFile } from "#tests/fixtures/bulk-issues.ts";
import { pngFile } from "#tests/fixtures/files.ts";
import { importForm, withUsers } from "#tests/fixtures/imports.ts";
import { afterTests, hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { fixtureTable } from "#tests/fixtures/tables.ts";
import { openPageFiles } from "#lib/page-files/page-files.ts";
import type { Services } from "../services.ts";

const suite = describe.runIf(hasDatabase());

const fixture = (name: string) => readFileSync(fixtureTable(name));

const withFields = (form: FormData, fields: Record<string, string>) => {
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
};

suite("How an import’s file is read", () => {
  test("is said, and another encoding is taken by reading the same file again", async () => {
    const { send, call, token, rowsOf } = await withUsers();
    const polish = Buffer.from([...Buffer.from("Email;Name\nz@c.example;Gda"), 0xf1, ...Buffer.from("sk\n")]);
    const { json } = await send("users", polish);
    expect(json.table).toMatchObject({
      format: "csv",
      encoding: "windows-1250",
      separator: "semicolon",
      hidden_rows: 0,
    });
    const body = { kind: "users", again: String(json.id), encoding: "windows-1252", separator: "semicolon" };
    const again = await call("createImport", { token, body });
    expect(again.status, JSON.stringify(again.json)).toBe(201);
    expect(again.json.table).toMatchObject({ encoding: "windows-1252" });
    expect((await rowsOf(again.json.id))[0].cells).toEqual(["z@c.example", "Gdañsk"]);
    expect((await call("getImport", { token, params: { id: json.id } })).status).toBe(404);
  });

  test("reads the cells of a spreadsheet as they are shown", async () => {
    const { send, rowsOf } = await withUsers();
    const { json } = await send("users", fixture("users-formatted-numbers.xlsx"));
    expect((await rowsOf(json.id))[0].cells.slice(2)).toEqual(["01632 960001", "01234"]);
  });

  test("is refused with another’s import, and once the import was applied", async () => {
    const { send, call, token, company } = await withUsers();
    const { admin: other } = await company();
    const { json } = await send("branches", "Name\nLeeds\n");
    const body = { kind: "branches", again: String(json.id) };
    expect((await call("createImport", { token: other.token, body })).status).toBe(404);
    await call("applyImport", { token, params: { id: json.id } });
    expect((await call("createImport", { token, body })).status).toBe(409);
  });

  test("takes no import away that is applied meanwhile", async () => {
    const { send, call, token, db } = await withUsers();
    const lines = Array.from({ length: 3000 }, (_, n) => `Branch ${n}`).join("\n");
    const { json } = await send("branches", `Name\n${lines}\n`);
    const again = call("createImport", { token, body: { kind: "branches", again: String(json.id) } });
    while ((await db.selectFrom("imports").select("id").execute()).length < 2) await new Promise(setImmediate);
    const input = { token, params: { id: json.id } };
    expect((await call("applyImport", input)).status).toBeLessThan(300);
    expect((await again).status).toBe(409);
    expect((await call("getImport", input)).json.counts.refused).toBe(3000);
  });

  test("leaves no file of an import that was forgotten for newer ones", async () => {
    const { send, db, services } = await withUsers();
    for (let n = 0; n < 8; n++) expect((await send("branches", `Name\nBranch ${n}\n`)).status).toBe(201);
    const keys = await Array.fromAsync(services.files.keys());
    const storedImports = await db.selectFrom("imports").select("table_key").execute();
    expect(keys.filter((key) => key.startsWith("imports/")).toSorted()).toEqual(
      storedImports.map(({ table_key }) => table_key).toSorted(),
    );
  });

  test("is what the fields of the form say", async () => {
    const { call, token, rowsOf } = await withUsers();
    const form = withFields(importForm("branches", "Name\tCity\nLeeds;\tBonn\n", "list.txt"), { separator: "tab" });
    const { json } = await call("createImport", { token, body: form });
    expect((await rowsOf(json.id))[0].cells).toEqual(["Leeds;", "Bonn"]);
    const wrong = withFields(importForm("branches", "Name\n"), { encoding: "ebcdic" });
    expect((await call("createImport", { token, body: wrong })).json.errors).toEqual({
      encoding: ["Choose one of the encodings"],
    });
  });

  test("a file that is stored no longer than the import leaves no other behind", async () => {
    const { send, call, token, services, run } = await withUsers();
    const { json } = await send("branches", "Name\nLeeds\n");
    await call("applyImport", { token, params: { id: json.id } });
    await run("imports");
    const keys = await Array.fromAsync(services.files.keys());
    expect(keys.filter((key) => key.startsWith("imports/"))).toEqual([]);
  });
});

suite("How the table of a bulk issue is read", () => {
  async function withIssue(change: Partial<Services> = {}) {
    const provider = await testProvider(change);
    const { admin } = await provider.company();
    const bulkIssue = await provider.call("createBulkIssue", { token: admin.token, body: whatForm });
    const about = { token: admin.token, params: { id: bulkIssue.json.id as number } };
    const set = (body: FormData | Record<string, string>) => provider.call("setBulkTable", { ...about, body });
    const names = async () =>
      (await provider.call("listBulkRows", about)).json.map(({ cells }: { cells: string[] }) => cells[0]);
    return { ...provider, about, set, names };
  }

  test("hidden rows are left out and reported, and issued too if that is chosen", async () => {
    const { set, names } = await withIssue();
    const leftoverReply = await set(withFile("table", fixture("filtered-rows.xlsx"), "people.xlsx"));
    expect(leftoverReply.json).toMatchObject({
      rows: 2,
      table: { hidden: "skip", hidden_rows: 1, hidden_columns: [] },
    });
    expect(await names()).toEqual(["Ada Example", "Cleo Trial"]);
    const all = await set({ hidden: "include" });
    expect(all.json).toMatchObject({
      rows: 3,
      table_name: "people.xlsx",
      table: { hidden: "include", hidden_rows: 1 },
    });
    expect(await names()).toEqual(["Ada Example", "Ben Sample", "Cleo Trial"]);
  });

  test("the sheet that opens is read, and another is chosen by its name", async () => {
    const { set } = await withIssue();
    const opened = await set(withFile("table", fixture("second-sheet-active.xlsx"), "people.xlsx"));
    expect(opened.json.table).toMatchObject({ sheet: "Participants", sheets: ["Read me", "Participants"] });
    expect((await set({ sheet: "Read me" })).json.columns).toEqual(["How to fill in this file"]);
    expect((await set({ sheet: "None" })).json.errors).toEqual({ table: ["The file shows no sheet “None”"] });
  });

  test("a server that ends reads on no table, and says to send it again", async () => {
    const pageFiles = openPageFiles();
    afterTests(() => pageFiles.close());
    const { set, call, about } = await withIssue({ pageFiles });
    await set(withFile("table", Buffer.from("name\nAda\n"), "people.csv"));
    const slow = set(withFile("table", Buffer.from(`name,email\n${"\n".repeat(4_000_000)}`), "slow.csv"));
    pageFiles.stopTables();
    const { status, headers } = await slow;
    expect([status, headers.get("retry-after")]).toEqual([503, "10"]);
    expect((await call("getBulkIssue", about)).json).toMatchObject({ table_name: "people.csv", rows: 1 });
  });

  test("documents get the numbers that the sheet shows", async () => {
    const { set, call, about } = await withIssue();
    const issue = await set(withFile("table", fixture("number-formats.xlsx"), "people.xlsx"));
    expect(issue.json.mapping[0]).toBe("number");
    const [row] = (await call("listBulkRows", about)).json;
    expect(row.cells.slice(0, 5)).toEqual(["NM-0007", "Ada Example", "First aid", "Preston", "2026-10-14"]);
  });
});

suite("Names in a ZIP", () => {
  test("files whose names are in a code page are found by the table’s names, and those of no row are listed", async () => {
    const provider = await testProvider();
    const { admin } = await provider.company();
    const { about } = await bulkIssue(provider, admin.token, {
      rows: [
        ["Z-1", "Zażółć", "Zażółć.png"],
        ["Z-2", "Jürgen", "Jürgen.png"],
        ["Z-3", "Олена", "Олена.png"],
        ["Z-4", "José", "José.png"],
        ["Z-5", "Şükrü", "Şükrü.png"],
      ],
    });
    const archive = await zipOf([
      ["Zażółć.png", "cp852"],
      ["Jürgen.png", "cp850"],
      ["Олена.png", "cp866"],
      ["José.png", "utf8"],
      ["Şükrü.png", "windows-1254"],
      ["left-over.png", "utf8"],
    ]);
    await provider.call("setBulkArchive", { ...about, body: withFile("archive", archive, "pages.zip") });
    await provider.call("checkBulkIssue", about);
    await provider.run("bulk issues");
    const { json } = await provider.call("getBulkIssue", about);
    expect(json).toMatchObject({
      state: "checked",
      wrong: 0,
      notes: ["No row names this file of the ZIP: dddddddddddddddddddddddddd/left-over.png"],
    });
  });
});

/** A ZIP of pictures, whose names have no flag for UTF-8 and are in the encodings given. */
async function zipOf(files: [string, string][]) {
  const zip = new ZipFile();
  const page = await pngFile();
  for (const n of files.keys()) zip.addBuffer(page, `${n}`.padEnd(40, "_"));
  zip.end();
  let bytes = (await buffer(zip.outputStream)).toString("latin1");
  for (const [n, [name, encoding]] of files.entries()) {
    // Of the length of the placeholder: folders of one character make up for the rest.
    const raw = iconv.encode(name, encoding).toString("latin1");
    const placeholder = `${n}`.padEnd(40, "_");
    bytes = bytes.replaceAll(placeholder, `${"d".repeat(40 - raw.length - 1)}/${raw}`);
  }
  return withoutUtf8Flags(Buffer.from(bytes, "latin1"));
}

/** Clears the flag that says that names are UTF-8, in local headers and in the directory. */
function withoutUtf8Flags(zip: Buffer) {
  for (const [signature, flags] of [
    ["PK\x03\x04", 7],
    ["PK\x01\x02", 9],
  ] as const) {
    for (let at = zip.indexOf(signature); at >= 0; at = zip.indexOf(signature, at + 1)) zip[at + flags]! &= ~0x08;
  }
  return zip;
}
