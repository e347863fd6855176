import { readFile } from "node:fs/promises";
import { PDFDocument } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { checkedBulkIssue, whatForm, withFile } from "#tests/fixtures/bulk-issues.ts";
import { asFile, pdfFile } from "#tests/fixtures/files.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";

import { templateFile } from "#tests/fixtures/templates.ts";

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
    const { json: noted } = await provider.call("listBulkRows", { ...about, query: { state: "noted" } });
    expect(noted.map(({ number }: { number: string }) => number)).toEqual(["BULK-1"]);
    const other = await checkedBulkIssue(provider, admin.token, { rows: [["OTHER", "Ann", "a.pdf"]], files });
    const { json } = await provider.call("getBulkIssue", other.about);
    expect(json.noted).toBe(0);
  });

  test("name what the code covers, by its place: of a document, a row, and the rows of a template", async () => {
    const provider = await testProvider();
    const { company, issue, call, run } = provider;
    const { token } = (await company()).admin;
    const sheet = await PDFDocument.create();
    sheet.addPage([595, 842]).drawText("Main Street 5", { x: 50, y: 500 });
    sheet.addPage([595, 842]).drawText("IBAN AT61 1904 3002 3457 3201", { x: 450, y: 40, size: 7 });
    const file = Buffer.from(await sheet.save());
    const covers = (page: number) =>
      `The code covers something on page ${page}: choose another place or size, or other pages`;
    const last = { qr_placing: "bottom-right:last:medium" };
    const { json } = await issue(token, last, [asFile(await pdfFile(0), "a.pdf"), asFile(file, "b.pdf")]);
    expect([json.notes, json.files.pages[1].covered]).toEqual([
      [covers(3)],
      expect.stringMatching(/^0000\([\w-]+\)0003\([\w-]+\)$/),
    ]);
    expect((await issue(token, { qr_placing: "155,260:last:25" }, [asFile(file, "b.pdf")])).json.notes).toEqual([
      covers(2),
    ]);
    expect((await issue(token, { qr_placing: "20,200:every:25" }, [asFile(file, "b.pdf")])).json.notes).toEqual([]);
    const about = { token, params: { id: json.id } };
    const { json: before } = await call("getDocument", about);
    const { document_type, document_subtype, name, date, email, expire_type, access_type, users_access_group } = before;
    const texts = { document_type, document_subtype, name, date, email, expire_type, access_type, users_access_group };
    const body = { ...texts, qr_placing: "top-right:last:medium", version: before.version };
    const changed = await call("updateDocument", { ...about, body });
    expect([changed.status, changed.json.notes]).toEqual([200, []]);

    const rows = [["C-1", "Ann", "b.pdf"]];
    const bulk = await checkedBulkIssue(provider, token, { rows, files: { "b.pdf": file }, what: last });
    const { json: listed } = await call("listBulkRows", bulk.about);
    expect(listed[0].notes).toEqual([covers(2)]);

    const form = await templateFile(async (document) => {
      document
        .getForm()
        .createTextField("name")
        .addToPage(document.getPage(0), { x: 300, y: 30, width: 90, height: 24 });
    });
    const made = new FormData();
    made.append("name", "Diploma");
    made.append("file", asFile(form, "diploma.pdf"));
    const { json: template } = await call("createTemplate", { token, body: made });
    const what = { ...whatForm, name: "Diploma", content: "template", template: template.id };
    const { json: filled } = await call("createBulkIssue", {
      token,
      body: { ...what, qr_placing: "bottom-right:first:small" },
    });
    const ofFilled = { token, params: { id: filled.id } };
    await call("setBulkTable", { ...ofFilled, body: withFile("table", "number,name\nD-1,Zoë\nD-2,Ben\n", "t.csv") });
    await call("checkBulkIssue", ofFilled);
    await run("bulk issues");
    expect((await call("getBulkIssue", ofFilled)).json.notes).toEqual([covers(1)]);
  });

  test("say by whom a file was signed; a portfolio and an XFA form are refused, here and as a row", async () => {
    const provider = await testProvider();
    const { company, issue, call } = provider;
    const { admin } = await company();
    const named = async (name: string) => asFile(await pageFile(name), name);
    const { json } = await issue(admin.token, {}, [await named("signed-by-another.pdf")]);
    expect(json.notes).toEqual([
      "“signed-by-another.pdf” has a signature of A. Counterparty, which the sealed PDF will not have",
    ]);
    const refusals = [
      "“portfolio.pdf” is a portfolio of 1 file: add the files in it",
      "“xfa-please-wait.pdf” is an XFA form, whose pages few programs show: print it to a PDF and add that",
    ];
    const names = ["portfolio.pdf", "xfa-please-wait.pdf"];
    const refused = await issue(admin.token, {}, await Promise.all(names.map(named)));
    expect([refused.status, refused.json.errors]).toEqual([422, { files: refusals }]);
    const files = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await pageFile(name)])));
    const rows = names.map((name, n) => [`ROW-${n}`, "Ann", name]);
    const { about } = await checkedBulkIssue(provider, admin.token, { rows, files });
    const { json: listed } = await call("listBulkRows", about);
    expect(listed.map(({ problems }: { problems: { message: string }[] }) => problems[0]!.message)).toEqual(refusals);
  });

  test("an owner password is no hindrance: such a file is sealed, downloaded, and a template", async () => {
    const provider = await testProvider();
    const { company, issue, call, run } = provider;
    const { admin } = await company();
    const { token } = admin;
    const file = asFile(await pageFile("owner-password-only.pdf"), "statement.pdf");
    const { json } = await issue(token, {}, [file]);
    expect(json.notes).toEqual([expect.stringMatching(/^“statement.pdf” has an owner password that forbids changes,/)]);
    await run("seals");
    const params = { id: json.id };
    const sealed = await call("getSealedPdf", { token, params });
    const page = await call("getPageFile", { token, params: { ...params, n: 1 } });
    expect([sealed.status, page.status]).toEqual([200, 200]);
    const body = new FormData();
    body.append("name", "Statement");
    body.append("file", file);
    const { status, json: template } = await call("createTemplate", { token, body });
    expect([status, template.notes]).toEqual([
      201,
      [
        "“Statement” has tags for screen readers, which the sealed PDF will not have",
        "“Statement” has an owner password that forbids changes, which the sealed PDF will not have",
      ],
    ]);
    const what = { ...whatForm, content: "template", template: template.id };
    const { json: bulk } = await call("createBulkIssue", { token, body: what });
    expect(bulk.notes).toEqual(template.notes);
  });

  test("a WebP picture under the name of a JPG is a page like others", async () => {
    const { company, issue, call } = await testProvider();
    const { admin } = await company();
    const picture = await sharp(await pageFile("white-on-transparent.png"))
      .flatten({ background: "blue" })
      .webp()
      .toBuffer();
    const { json } = await issue(admin.token, {}, [asFile(picture, "photo.jpg")]);
    expect(json.files.pages).toMatchObject([{ name: "photo.jpg", type: "image/webp" }]);
    expect(json.notes).toEqual(["“photo.jpg” is a WebP picture, which is a JPG in the sealed PDF"]);
    const { status, headers } = await call("getPageFile", { token: admin.token, params: { id: json.id, n: 1 } });
    expect([status, headers.get("content-type")]).toEqual([200, "image/webp"]);
    expect(headers.get("content-disposition")).toContain("photo.webp");
  });
});
