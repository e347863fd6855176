import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import sharp from "sharp";
import { addDocuments } from "#tests/fixtures/documents.ts";
import { asFile, pngFile } from "#tests/fixtures/files.ts";
import { rasterOf } from "#tests/fixtures/pdf-programs.ts";
import { afterTests, hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { readByZxing } from "#tests/fixtures/qr-decoders.ts";

const suite = describe.runIf(hasDatabase());

const directory = await mkdtemp(join(tmpdir(), "sealdesk-label-calls-"));
afterTests(() => rm(directory, { recursive: true }));

/** A company with a document in three copies, and one in a single copy. */
async function withDocuments() {
  const provider = await testProvider();
  const { admin } = await provider.company();
  const bond = (await provider.issue(admin.token, { name: "Bond", number: "NM-BOND", copies: "3" })).json;
  const lease = (await provider.issue(admin.token, { name: "Lease", number: "NM-LEASE" })).json;
  const ids = [bond.id, lease.id].join(",");
  const plan = (query: Record<string, string>) => provider.call("planLabels", { token: admin.token, query });
  const labels = (query: Record<string, string>) => provider.call("getLabels", { token: admin.token, query });
  return { ...provider, admin, bond, lease, ids, plan, labels };
}

/** What the codes and the text of a PDF's first page say. */
async function read(bytes: Uint8Array) {
  const path = join(directory, `${Math.random()}.pdf`);
  await writeFile(path, bytes);
  const codes = await readByZxing(await readFile(await rasterOf(path, 1)));
  const { stdout } = await promisify(execFile)("pdftotext", ["-layout", path, "-"]);
  return { codes, text: stdout, path };
}

suite("GET /labels", () => {
  test("counts labels, sheets and labels left out", async () => {
    const { plan, ids, call, admin, lease } = await withDocuments();
    expect((await plan({ ids })).json).toMatchObject({ documents: 2, labels: 4, sheets: 1, names: ["Bond", "Lease"] });
    expect((await plan({ ids, copies: "first", start: "21" })).json).toMatchObject({ labels: 2, sheets: 2 });
    expect((await plan({ all: "1", name: "bond" })).json).toMatchObject({ documents: 1, labels: 3 });
    await call("exitDocument", { token: admin.token, params: { id: lease.id } });
    expect((await plan({ ids })).json).toMatchObject({ documents: 1, labels: 3, left_out: 1 });
  });

  test("says what the first label has room for, of the lines that are chosen", async () => {
    const { plan, ids } = await withDocuments();
    const of = async (query: Record<string, string>) => (await plan({ ids, sheet: "5164", ...query })).json.lines;
    const code = expect.stringMatching(/^\w{4}(-\w{4}){3}-\w$/);
    expect(await of({})).toEqual(["NM-BOND", "Bond", "Copy 1 of 3", "Scan to verify", code]);
    expect(await of({ lines: "caption,number" })).toEqual(["NM-BOND", "Copy 1 of 3", "Scan to verify", code]);
    expect(await of({ lines: "none" })).toEqual(["Copy 1 of 3", code]);
    const { status, json } = await plan({ ids, lines: "number,colour" });
    expect([status, json.errors]).toEqual([422, { lines: ["Choose lines from number, name, branch, date, caption"] }]);
  });

  test("refuses a sheet that does not fit its page, and labels too small for the code, by field", async () => {
    const { plan, ids, bond, call, admin } = await withDocuments();
    await call("getSealedPdf", { token: admin.token, params: { id: bond.id } });
    const own = { sheet: "own", page_width: "100", page_height: "100", columns: "2", rows: "2", label_width: "50,0" };
    expect((await plan({ ids, ...own })).json.errors).toHaveProperty("label_height");
    const rest = { label_height: "40", margin_left: "5", margin_top: "0", pitch_x: "40", pitch_y: "40" };
    const { status, json } = await plan({ ids, ...own, ...rest });
    expect(status).toBe(422);
    expect(json.errors).toMatchObject({ pitch_x: [expect.stringMatching(/at least the label’s width/)] });
    const small = { label_width: "10", label_height: "10", pitch_x: "10" };
    expect((await plan({ ids, ...own, ...rest, ...small })).json.errors).toMatchObject({
      label_width: [expect.stringMatching(/^These codes need labels of at least [\d.]+ × [\d.]+ mm/)],
    });
    expect((await plan({ ids, start: "22" })).json.errors).toHaveProperty("start");
    expect((await plan({ ids, ...own, page_width: "x", columns: "x" })).json.errors).toMatchObject({
      page_width: ["Enter the page’s width in millimetres, from 30 to 500"],
      columns: ["Enter how many columns, from 1 to 30"],
    });
  });

  test("is bounded in documents and labels", async () => {
    const provider = await withDocuments();
    const { plan, admin, call, db } = provider;
    const { json: me } = await call("currentUser", { token: admin.token });
    const { company_id } = await db
      .selectFrom("users")
      .where("id", "=", me.id)
      .select("company_id")
      .executeTakeFirstOrThrow();
    await addDocuments(
      provider,
      company_id,
      me.id,
      Array.from({ length: 500 }, () => ({ name: "Many" })),
    );
    expect((await plan({ all: "1", name: "many" })).json.labels).toBe(500);
    expect((await plan({ all: "1" })).json.errors).toHaveProperty("ids");
    const ids = Array.from({ length: 501 }, (_, n) => n + 1).join(",");
    expect((await plan({ ids })).json.errors).toHaveProperty("ids");
    await db.updateTable("documents").where("name", "=", "Many").set({ copies: 5 }).execute();
    const rows = await db.selectFrom("documents").where("name", "=", "Many").select("id").execute();
    const copies = rows.flatMap(({ id }) => [1, 2, 3, 4, 5].map((n) => ({ document_id: id, n, code: `${id} ${n}` })));
    for (let n = 0; n < copies.length; n += 500) {
      await db
        .insertInto("document_copies")
        .values(copies.slice(n, n + 500))
        .execute();
    }
    expect((await plan({ all: "1", name: "many" })).json.errors).toHaveProperty("copies");
  });
});

suite("GET /labels.pdf", () => {
  test("has the custom fields, branch and date that are chosen, the logo, and a Data Matrix in place of the QR", async () => {
    const { issue, admin, plan, labels, call } = await withDocuments();
    const custom = {
      "custom_fields[0][name]": "Serial number",
      "custom_fields[0][value]": "S-77",
      "custom_fields[1][name]": "Room",
      "custom_fields[1][value]": "12",
    };
    const expiring = { expire_type: "date", expire_date: "2027-02-01", ...custom };
    const { json } = await issue(admin.token, { name: "Crane", number: "NM-CRANE", ...expiring });
    const image = new FormData();
    const { json: company } = await call("getCompany", { token: admin.token });
    for (const [name, value] of Object.entries(company)) if (typeof value === "string") image.append(name, value);
    image.append("image", asFile(await pngFile(300, 100), "logo.png"));
    await call("updateCompany", { token: admin.token, body: image });
    const query = {
      ids: String(json.id),
      sheet: "5164",
      lines: "number,date",
      fields: "serial number\nNone such",
      logo: "1",
    };
    const { json: planned } = await plan(query);
    expect(planned.custom_fields).toEqual(["Serial number", "Room"]);
    expect(planned.lines.slice(0, 3)).toEqual(["NM-CRANE", "Expires 01-02-2027", "Serial number: S-77"]);
    const { bytes } = await labels({ ...query, symbology: "data-matrix" });
    const { codes, text, path } = await read(bytes);
    expect(codes).toEqual([]);
    expect(await readByZxing(await readFile(await rasterOf(path, 1)), "DataMatrix")).toEqual([
      expect.stringMatching(/\/v\/\w{17}/),
    ]);
    expect(text).toContain("Serial number: S-77");
    expect((await promisify(execFile)("pdfimages", ["-list", path])).stdout).toMatch(/ 300 +100 /);
  });

  test("is shown as a picture of its first sheet, which is no download", async () => {
    const { labels, ids, call, admin } = await withDocuments();
    const { bytes, headers } = await labels({ ids, preview: "1", sheet: "5164" });
    expect(headers.get("content-type")).toBe("image/webp");
    expect(await readByZxing(await sharp(bytes).png().toBuffer())).toHaveLength(4);
    const { json } = await call("listAudit", { token: admin.token, query: { trail: "access", action: "downloaded" } });
    expect(json).toEqual([]);
  });

  test("has the signed code of each copy, as the document’s own QR does, with number, name and caption", async () => {
    const { labels, ids, bond, lease, call, admin } = await withDocuments();
    for (const { id } of [bond, lease]) await call("getSealedPdf", { token: admin.token, params: { id } });
    const { bytes, headers } = await labels({ ids, start: "2", caption: "Ask for the original" });
    expect(headers.get("content-type")).toBe("application/pdf");
    const { codes, text } = await read(bytes);
    const own = async (id: number, copy: string) => {
      const { bytes } = await call("getQrCode", { token: admin.token, params: { id }, query: { copy } });
      return (await readByZxing(bytes))[0];
    };
    const expected = [
      await own(bond.id, "1"),
      await own(bond.id, "2"),
      await own(bond.id, "3"),
      await own(lease.id, "1"),
    ];
    expect(codes.toSorted()).toEqual(expected.toSorted());
    expect(codes.every((code) => /\/v\/\w{17}\/\d+$/.test(code))).toBe(true);
    for (const part of ["NM-BOND", "NM-LEASE", "Copy 2 of 3", "Ask for the original", "Lease"])
      expect(text).toContain(part);
  });

  test("has the chosen lines alone, and always the code", async () => {
    const { labels, ids } = await withDocuments();
    const { text } = await read((await labels({ ids, sheet: "5164", lines: "name" })).bytes);
    expect(text).toContain("Bond");
    expect(text).toMatch(/\w{4}-\w{4}-\w{4}-\w{4}-\w/);
    expect(text).not.toMatch(/NM-|Scan to verify/);
  });

  test("leaves withdrawn copies out", async () => {
    const { labels, bond, call, admin } = await withDocuments();
    await call("withdrawCopy", { token: admin.token, params: { id: bond.id, n: 2 }, body: { reason: "lost" } });
    const { text } = await read((await labels({ ids: String(bond.id) })).bytes);
    expect(text.match(/Copy \d/g)).toEqual(["Copy 1", "Copy 3"]);
  });

  test("is not given for another company’s documents", async () => {
    const { call, company, ids } = await withDocuments();
    const { admin: other } = await company();
    for (const name of ["planLabels", "getLabels"] as const) {
      expect((await call(name, { token: other.token, query: { ids } })).status).toBe(404);
    }
    expect((await call("planLabels", { token: other.token, query: { all: "1" } })).json.labels).toBe(0);
  });

  test("is in the audit trail of access", async () => {
    const { labels, ids, call, admin } = await withDocuments();
    await labels({ ids });
    const { json } = await call("listAudit", { token: admin.token, query: { trail: "access", action: "downloaded" } });
    expect(json).toHaveLength(2);
    expect(JSON.stringify(json)).toContain("Labels");
  });
});
