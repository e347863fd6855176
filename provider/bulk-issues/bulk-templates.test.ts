import { Readable } from "node:stream";
import { PDFDocument } from "@cantoo/pdf-lib";
import { describe, expect, test } from "vitest";
import { whatForm, withFile } from "#tests/fixtures/bulk-issues.ts";
import { without } from "#tests/fixtures/pdf-programs.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { codesOf, isCodeOf, wordsOf } from "#tests/fixtures/sealed-pdfs.ts";
import { temporaryFile } from "#tests/fixtures/tables.ts";

const suite = describe.runIf(hasDatabase());

/** A PDF with a text field for each name. */
async function formPdf(names: string[]) {
  const document = await PDFDocument.create();
  const page = document.addPage([400, 300]);
  names.forEach((name, n) => {
    document
      .getForm()
      .createTextField(name)
      .addToPage(page, { x: 40, y: 240 - 40 * n, width: 300, height: 24 });
  });
  return Buffer.from(await document.save());
}

/** A company with a template, and a bulk issue of it with a table. */
async function withTemplate() {
  const provider = await testProvider();
  const { call, db, services } = provider;
  const { id: company_id, admin } = await provider.company();
  const columns = ["Holder", "Course"];
  const file_key = "templates/certificate";
  const { bytes } = await services.files.put(file_key, Readable.from([await formPdf(columns)]));
  const at = "2026-11-21T10:00:00.000Z";
  const kinds = JSON.stringify(columns.map((name) => ({ name, kind: "text", page: 1, options: [] })));
  const named = { company_id, name: "Certificate", name_key: "certificate", created_at: at, changed_at: at };
  const { id: template } = await db
    .insertInto("templates")
    .values({ ...named, file_key, bytes, pages: 1, columns: kinds })
    .returning("id")
    .executeTakeFirstOrThrow();
  const { token } = admin;
  const pages = { content: "template", template, qr_placing: "bottom-right:first:medium" };
  const body = { ...whatForm, name: "First aid", ...pages };
  const { json } = await call("createBulkIssue", { token, body });
  const about = { token, params: { id: json.id as number } };
  const table = "number,holder,COURSE\nT-1,Zoë Ångström,First aid\nT-2,Ben,First aid\nT-3,Ben,Fire safety\n";
  const { json: mapped } = await call("setBulkTable", { ...about, body: withFile("table", table, "t.csv") });
  return { ...provider, company_id, about, token, template, mapping: mapped.mapping as string[] };
}

const rows = ["Zoë Ångström First aid", "Ben First aid", "Ben Fire safety"];

suite("A bulk issue of a template", () => {
  test("maps columns to its fields by their names, fills it from each row, and issues", async () => {
    const { call, run, about, mapping } = await withTemplate();
    expect(mapping).toEqual(["number", "template:Holder", "template:Course"]);
    await call("checkBulkIssue", about);
    await run("bulk issues");
    expect((await call("getBulkIssue", about)).json).toMatchObject({ state: "checked", wrong: 0, pages: 3 });
    const preview = await call("previewBulkRow", { ...about, params: { ...about.params, line: 2 } });
    expect(preview.status).toBe(200);
    await call("startBulkIssue", { ...about, body: {} });
    await run("bulk issues");
    expect((await call("getBulkIssue", about)).json).toMatchObject({ state: "done", issued: 3 });
  });

  test("takes the place of the code from a template that is chosen, which can be changed then", async () => {
    const { call, about, token, template, db } = await withTemplate();
    await db.updateTable("templates").set({ qr_placing: "150,40:last:30" }).where("id", "=", template).execute();
    const { qr_placing: _, ...what } = { ...whatForm, name: "First aid", qr_placing: "none" };
    const own = { token, body: { ...what, content: "zip", qr_placing: "top-left:first:small" } };
    const { json: created } = await call("createBulkIssue", own);
    const params = { id: created.id };
    const choose = (qr_placing: string) =>
      call("updateBulkIssue", { token, params, body: { ...what, content: "template", template, qr_placing } });
    expect((await choose("top-left:first:small")).json.qr_placing).toBe("150,40:last:30");
    expect((await choose("top-left:first:small")).json.qr_placing).toBe("top-left:first:small");
    expect((await call("getBulkIssue", about)).json.qr_placing).toBe("bottom-right:first:medium");
  });

  test("notes fields that a row leaves empty, and fields without a column", async () => {
    const { call, run, about } = await withTemplate();
    const table = withFile("table", "number,holder\nT-1,Ann\nT-2,\n", "t.csv");
    expect((await call("setBulkTable", { ...about, body: table })).json.mapping).toEqual(["number", "template:Holder"]);
    await call("checkBulkIssue", about);
    await run("bulk issues");
    expect((await call("getBulkIssue", about)).json).toMatchObject({
      state: "checked",
      wrong: 0,
      noted: 1,
      notes: ["No column fills these fields of the template: Course"],
    });
    const rows = (await call("listBulkRows", about)).json.map(({ notes }: { notes: string[] }) => notes);
    expect(rows).toEqual([[], ["Empty in the template: Holder"]]);
  });

  test.skipIf(without("pdftoppm"))("seals each row’s own texts with the code of its own address", async () => {
    const { call, run, about, token } = await withTemplate();
    await call("checkBulkIssue", about);
    await run("bulk issues");
    await call("startBulkIssue", { ...about, body: {} });
    await run("bulk issues");
    await run("seals");
    const { json: documents } = await call("listBulkDocuments", about);
    const sealed: { words: string; isOwnCode: boolean }[] = [];
    for (const { id, verify_url } of documents) {
      const { bytes } = await call("getSealedPdf", { token, params: { id } });
      const path = temporaryFile(Buffer.from(bytes));
      sealed.push({ words: await wordsOf(path), isOwnCode: isCodeOf(verify_url, await codesOf(path)) });
    }
    expect(sealed).toEqual(rows.map((words) => ({ words: expect.stringContaining(words), isOwnCode: true })));
  });

  test("stops if the template was changed since the check", async () => {
    const { call, run, about, db, template } = await withTemplate();
    await call("checkBulkIssue", about);
    await run("bulk issues");
    await call("startBulkIssue", { ...about, body: {} });
    await db.updateTable("templates").set({ version: 2 }).where("id", "=", template).execute();
    await run("bulk issues");
    const { json } = await call("getBulkIssue", about);
    expect(json).toMatchObject({
      state: "done",
      issued: 0,
      refused: 3,
      reason: expect.stringContaining("was changed"),
    });
  });

  test("is not made of another company’s template", async () => {
    const { call, company, template } = await withTemplate();
    const { admin } = await company("Another");
    const body = { ...whatForm, content: "template", template };
    const { status, json } = await call("createBulkIssue", { token: admin.token, body });
    expect([status, Object.keys(json.errors)]).toEqual([422, ["template"]]);
  });
});
