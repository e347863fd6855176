import { execFileSync } from "node:child_process";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { asFile, pngFile } from "#tests/fixtures/files.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { templateFile, writtenTemplate } from "#tests/fixtures/templates.ts";
import { mebibytesInBytes } from "#lib/units.ts";
import type { Services } from "../services.ts";
import { maxTemplates } from "../contract/templates.ts";

const suite = describe.runIf(hasDatabase());

const certificate = await templateFile();

const picture = await pngFile();

const typed = "BT /F1 12 Tf 40 200 Td (For {{na) Tj (me}}) Tj ET";
const onTwoLines = await writtenTemplate("BT /F1 12 Tf 14 TL 40 200 Td ({{first) Tj (name}}) ' ET");

/** With two columns, one of them a choice. */
const graded = await templateFile((document) => {
  const [page, form] = [document.getPage(0), document.getForm()];
  form.createTextField("name").addToPage(page, { x: 40, y: 200, width: 60, height: 24 });
  const grade = form.createDropdown("grade");
  grade.addOptions(["good", "very good"]);
  grade.addToPage(page, { x: 40, y: 100, width: 120, height: 24 });
});

const formOf = (fields: object, file?: Buffer, name = "certificate.pdf") => {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, String(value));
  if (file) form.append("file", asFile(file, name));
  return form;
};

async function withTemplate(file = certificate, change: Partial<Services> = {}) {
  const provider = await testProvider(change);
  const { call, company, services } = provider;
  const { id: companyId, admin } = await company();
  const { token } = admin;
  const add = (name: string, content = certificate) =>
    call("createTemplate", { token, body: formOf({ name }, content) });
  const { json: template } = await add("Certificate", file);
  const params = { id: template?.id as number };
  const stored = async () => {
    const keys = [];
    for await (const key of services.files.keys()) keys.push(key);
    return keys.toSorted();
  };
  const fill = (values: object[]) => call("fillTemplate", { token, params, body: { values } });
  return { ...provider, companyId, token, admin, add, template, params, stored, fill };
}

suite("POST /templates", () => {
  test("keeps a PDF with its columns and a picture, and notes it without its name", async () => {
    const { template, stored, db } = await withTemplate(graded);
    expect(template).toMatchObject({ name: "Certificate", pages: 1, version: 1, bytes: graded.length });
    expect(template.columns).toEqual([
      { name: "name", kind: "text", page: 1, options: [] },
      { name: "grade", kind: "choice", page: 1, options: ["good", "very good"] },
    ]);
    expect(await stored()).toEqual([
      expect.stringMatching(/^templates\/[\w-]+\/1$/),
      expect.stringMatching(/^templates\/[\w-]+\/1\.drawn\/1\.small\.webp$/),
    ]);
    const entry = await db.selectFrom("audit").where("entity", "=", "template").selectAll().executeTakeFirstOrThrow();
    expect(entry).toMatchObject({ action: "added", entity_name: `Template ${template.id}` });
  });

  test("keeps where the code goes, and the size of its first page, until they are changed", async () => {
    const { call, token, add, params, template } = await withTemplate();
    expect(template).toMatchObject({ qr_placing: "", width: expect.any(Number), height: expect.any(Number) });
    expect(template.width).toBeGreaterThan(100);
    const change = (fields: object) => call("updateTemplate", { token, params, body: formOf(fields) });
    expect((await change({ name: "Diploma", qr_placing: "12,30.5:first:40" })).json.qr_placing).toBe(
      "12,30.5:first:40",
    );
    expect((await change({ name: "Award" })).json).toMatchObject({ name: "Award", qr_placing: "12,30.5:first:40" });
    expect((await change({ name: "Award", qr_placing: "" })).json.qr_placing).toBe("");
    expect((await change({ name: "Award", qr_placing: "middle" })).json.errors).toHaveProperty("qr_placing");
    expect((await add("Second")).status).toBe(201);
  });

  test("keeps a PDF with columns in its text, which are filled as fields are", async () => {
    const { template, fill } = await withTemplate(await writtenTemplate(typed));
    expect(template.columns).toEqual([{ name: "name", kind: "text", page: 1, options: [] }]);
    const { bytes } = await fill([{ column: "name", value: "Zoë" }]);
    expect(execFileSync("pdftotext", ["-", "-"], { input: bytes }).toString().trim()).toBe("For Zoë");
    expect((await fill([{ column: "name", value: "long ".repeat(40) }])).json.errors).toEqual({
      "values[0][value]": [expect.stringContaining("is too long for {{name}} on page 1")],
    });
  });

  test.each([
    ["a picture", picture, "is not a PDF"],
    ["a damaged file", Buffer.from("%PDF-1.7 and nothing more"), "is damaged and can’t be read"],
    ["a column that can’t be taken out of its page", onTwoLines, "put a form field there instead"],
  ])("refuses %s at the file, and keeps nothing of it", async (_, file, reason) => {
    const { call, token, params, stored } = await withTemplate();
    await call("removeTemplate", { token, params });
    const { status, json } = await call("createTemplate", { token, body: formOf({ name: "Other" }, file) });
    expect(status).toBe(422);
    expect(json.errors.file[0]).toContain(reason);
    expect(await stored()).toEqual([]);
  });

  test("refuses a form without a file or a name, and a name that is taken in any case", async () => {
    const { call, token, add, stored } = await withTemplate();
    const before = await stored();
    expect((await call("createTemplate", { token, body: formOf({ name: "Other" }) })).json.errors.file).toHaveLength(1);
    expect((await add("")).json.errors.name).toEqual(["Enter the name"]);
    expect((await add("CERTIFICATE")).json.errors.name[0]).toContain("already a template of this name");
    expect(await stored()).toEqual(before);
  });

  test("refuses a file larger than 25 MB", async () => {
    const { add } = await withTemplate();
    const { status, json } = await add("Large", Buffer.alloc(mebibytesInBytes(25) + 1, "%PDF-1.7 "));
    expect([status, json.errors.file[0]]).toEqual([413, expect.stringContaining("larger than 25 MB")]);
  });

  test("refuses more templates than a company can have", async () => {
    const { add, companyId, db } = await withTemplate();
    const row = await db.selectFrom("templates").selectAll().executeTakeFirstOrThrow();
    const { id: _, ...columns } = row;
    const more = Array.from({ length: maxTemplates - 1 }, (_, n) => ({
      name_key: `${n}`,
      file_key: `templates/${n}/1`,
    }));
    await db
      .insertInto("templates")
      .values(more.map((one) => ({ ...columns, ...one, company_id: companyId })))
      .execute();
    expect(await add("One more")).toMatchObject({ status: 409, json: { message: expect.stringContaining("200") } });
  });

  test("refuses what exceeds the company’s storage, and keeps nothing of it", async () => {
    const { add, template, stored } = await withTemplate(certificate, { quotas: { companyBytes: 20_000 } });
    expect(template.id).toBeGreaterThan(0);
    const before = await stored();
    const large = await templateFile((document) => {
      document.getForm().createTextField("name").addToPage(document.getPage(0), { x: 1, y: 1 });
      return document.attach(Buffer.from(crypto.getRandomValues(new Uint8Array(30_000))), "noise.bin");
    });
    const { status, json } = await add("Large", large);
    expect([status, json.message]).toEqual([409, expect.stringContaining("The template was not stored")]);
    expect(await stored()).toEqual(before);
  });

  test("is only for users who write documents of the whole company and create them", async () => {
    const { call, group, user, companyId } = await withTemplate();
    for (const [docs, expected] of [
      ["C:R/W/C", 201],
      ["C:R/W", 403],
      ["C:R/C", 403],
      ["B:R/W/C", 403],
    ] as const) {
      await group(companyId, docs, { docs });
      const { token } = await user(companyId, { name: docs, group: docs });
      const { status } = await call("createTemplate", { token, body: formOf({ name: docs }, certificate) });
      expect(status, docs).toBe(expected);
    }
  });
});

suite("GET /templates", () => {
  test("lists the company’s own by name", async () => {
    const { call, token, add, company } = await withTemplate();
    await add("badge");
    const { admin: stranger } = await company();
    await call("createTemplate", { token: stranger.token, body: formOf({ name: "Theirs" }, certificate) });
    const { json, headers } = await call("listTemplates", { token });
    expect(json.map(({ name }: { name: string }) => name)).toEqual(["badge", "Certificate"]);
    expect(headers.get("x-total-count")).toBe("2");
    const { json: listedTemplates } = await call("listTemplates", { token, query: { name: "CERT" } });
    expect(listedTemplates).toHaveLength(1);
  });
});

suite("GET /templates/{id}", () => {
  test("shows a template to the company alone", async () => {
    const { call, token, params, company, template } = await withTemplate();
    expect((await call("getTemplate", { token, params })).json).toEqual(template);
    const { admin: stranger } = await company();
    for (const name of [
      "getTemplate",
      "getTemplatePreview",
      "fillTemplate",
      "updateTemplate",
      "removeTemplate",
    ] as const) {
      const body = name === "fillTemplate" ? { values: [] } : name === "updateTemplate" ? { name: "Mine" } : undefined;
      const { status } = await call(name, { token: stranger.token, params, ...(body && { body }) });
      expect(status, name).toBe(404);
    }
    expect((await call("getTemplate", { token, params })).json).toEqual(template);
  });
});

suite("PUT /templates/{id}", () => {
  test("renames and keeps the file and the version", async () => {
    const { call, token, params, template, stored } = await withTemplate();
    const before = await stored();
    const { json } = await call("updateTemplate", { token, params, body: formOf({ name: "Diploma", version: 1 }) });
    expect(json).toEqual({ ...template, name: "Diploma" });
    expect(await stored()).toEqual(before);
  });

  test("replaces the file, and removes the former one with its picture", async () => {
    const { call, token, params, stored, db } = await withTemplate();
    const before = await stored();
    const { json } = await call("updateTemplate", { token, params, body: formOf({ name: "Certificate" }, graded) });
    expect(json).toMatchObject({ version: 2, columns: [{ name: "name" }, { name: "grade" }] });
    const after = await stored();
    expect(after).toHaveLength(2);
    expect(after.filter((key) => before.includes(key))).toEqual([]);
    const last = db.selectFrom("audit").where("entity", "=", "template").orderBy("id", "desc").select("changes");
    expect(JSON.parse((await last.executeTakeFirstOrThrow()).changes)).toEqual([
      { field: "file", before: null, after: "a new file" },
    ]);
  });

  test("refuses a change of an outdated file, a taken name and a wrong file, and changes nothing", async () => {
    const { call, token, params, add, template, stored } = await withTemplate();
    await add("Badge");
    const before = await stored();
    const put = (fields: object, file?: Buffer) =>
      call("updateTemplate", { token, params, body: formOf(fields, file) });
    expect((await put({ name: "Diploma", version: 2 }, graded)).status).toBe(409);
    expect((await put({ name: "badge" }, graded)).json.errors.name).toHaveLength(1);
    expect((await put({ name: "Diploma" }, picture)).json.errors.file).toHaveLength(1);
    expect((await call("getTemplate", { token, params })).json).toEqual(template);
    expect(await stored()).toEqual(before);
  });
});

suite("DELETE /templates/{id}", () => {
  test("removes a template with its file, once", async () => {
    const { call, token, params, stored } = await withTemplate();
    expect((await call("removeTemplate", { token, params })).status).toBe(204);
    expect(await stored()).toEqual([]);
    expect((await call("removeTemplate", { token, params })).status).toBe(404);
    expect((await call("listTemplates", { token })).json).toEqual([]);
  });

  test("leaves files that a template has, which the job for files without a record leaves too", async () => {
    const { stored, run, services, clock } = await withTemplate();
    await services.files.put("templates/left/1", Readable.from(["left by a crash"]));
    const storedKeys = (await stored()).filter((key) => !key.startsWith("templates/left"));
    clock.now = new Date(Date.now() + 7 * 24 * 3_600_000);
    await run("orphans");
    expect(await stored()).toEqual(expect.arrayContaining(storedKeys));
  });
});

suite("GET /templates/{id}/preview", () => {
  test("shows the first page in two sizes, and 404 once the file is missing", async () => {
    const { call, token, params, stored, services } = await withTemplate();
    const preview = (size: string) => call("getTemplatePreview", { token, params, query: { size } });
    const [small, large] = [await preview("small"), await preview("large")];
    expect([small.status, large.status]).toEqual([200, 200]);
    expect(Buffer.from(small.bytes.subarray(8, 12)).toString()).toBe("WEBP");
    expect(large.bytes.length).toBeGreaterThan(small.bytes.length);
    for (const key of await stored()) await services.files.remove(key);
    expect((await preview("small")).status).toBe(404);
  });
});

suite("POST /templates/{id}/fill", () => {
  test("returns the filled PDF and stores nothing", async () => {
    const { fill, stored } = await withTemplate(graded);
    const before = await stored();
    const values = [
      { column: "name", value: "Ada" },
      { column: "grade", value: "very good" },
    ];
    const { status, bytes, headers } = await fill(values);
    expect([status, headers.get("content-length")]).toEqual([200, String(bytes.length)]);
    const text = execFileSync("pdftotext", ["-layout", "-", "-"], { input: bytes }).toString();
    expect(text).toMatch(/Certificate\s+Ada\s+very good/);
    expect(await stored()).toEqual(before);
  });

  test("says every problem at the value of its column", async () => {
    const { fill } = await withTemplate(graded);
    const { status, json } = await fill([
      { column: "grade", value: "bad" },
      { column: "name", value: "a name that is much too long for so short a field" },
    ]);
    expect(status).toBe(422);
    expect(json.errors).toEqual({
      "values[0][value]": ["“grade” is none of the choices: good, very good"],
      "values[1][value]": ["“name” is too long for field “name”"],
    });
  });

  test("refuses columns that the template lacks or that are given twice", async () => {
    const { fill } = await withTemplate();
    const lacking = await fill([{ column: "__proto__", value: "x" }]);
    expect(Object.keys(lacking.json.errors)).toEqual(["values[0][column]"]);
    const twice = await fill([{ column: "name" }, { column: "name" }]);
    expect(Object.keys(twice.json.errors)).toEqual(["values[1][column]"]);
  });

  test("says that the file is missing", async () => {
    const { fill, stored, services } = await withTemplate();
    for (const key of await stored()) await services.files.remove(key);
    expect(await fill([])).toMatchObject({ status: 409, json: { message: expect.stringContaining("missing") } });
  });
});
