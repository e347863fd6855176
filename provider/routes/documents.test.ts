import { describe, expect, test } from "vitest";
import { uncounted } from "../contract/fields.ts";
import { createProvider } from "../provider.ts";
import { draftForm, hasDatabase, password, testProvider } from "#fixtures/provider.ts";
import { actorOf } from "../sessions/tokens.ts";
import { asFile, lockedPdfFile, pdfFile, photoFile, pngFile } from "#fixtures/files.ts";

const suite = describe.runIf(hasDatabase());

const names = (rows: { name: string }[]) => rows.map(({ name }) => name);
/** A change of what the usual document is. */
const change = {
  document_type: "Permit",
  document_subtype: "Vehicle",
  name: "Permit",
  date: "2026-11-20",
  expire_type: "never",
  access_type: "Open to all",
  users_access_group: "Accountant",
  custom_fields: [{ name: "Bank", value: "North" }],
  qr_placing: "none",
};

const day = (n: number) => `2026-11-${String(n).padStart(2, "0")}`;

suite("GET /document-options", () => {
  test("lists the forms' options, with a free number and the date in the company's time zone", async () => {
    const { call, company, user, clock } = await testProvider();
    const { id, admin } = await company();
    await user(id, { name: "Olga Owner" });
    clock.now = new Date("2026-06-30T23:30:00Z"); // past midnight in a London summer
    const { json } = await call("documentOptions", { token: admin.token });
    expect(json.types[0]).toEqual({ name: "Contract", subtypes: ["Lease", "Supply", "Service", "Employment", "Sale"] });
    expect(json.groups).toEqual(["Branch staff", "Accountant", "Administrator", "Branch Inspector"]);
    expect(json.placings).toHaveLength(37);
    expect(names(json.owners)).toEqual(["Ada Admin", "Olga Owner"]);
    expect(json.number).toMatch(/^NM-[0-9A-HJKMNP-TV-Z]{6}$/);
    expect(json.date).toBe("2026-07-01");
  });

  test("needs the right to read documents", async () => {
    const { call, company, group, user } = await testProvider();
    const { id } = await company();
    await group(id, "Nothing", {});
    const { token } = await user(id, { group: "Nothing" });
    expect((await call("documentOptions", { token })).status).toBe(403);
    expect((await call("documentOptions")).status).toBe(401);
  });
});

suite("POST /documents/storeDocument", () => {
  test("issues a document with its page files in order, with types and hashes", async () => {
    const { company, branch, user, issue } = await testProvider();
    const { id, admin } = await company();
    const { id: branchId } = await branch(id, "Preston", admin.id);
    const owner = await user(id, { name: "Olga Owner", branchId });
    const fields = {
      email: owner.email,
      number: "NM-TEST01",
      expire_type: "date",
      expire_date: "21-11-2027",
      prolongation: "1",
      "custom_fields[0][name]": "Bank",
      "custom_fields[0][value]": "Northern Trade Bank",
      "custom_fields[1][name]": "Amount",
      "custom_fields[1][value]": "£48,200.00",
      qr_placing: "bottom-right:first:medium",
    };
    const pages = [asFile(await pdfFile(0, 90, 0), "lease.pdf"), asFile(await photoFile(), "Plän.JPG")];
    const { status, json } = await issue(admin.token, fields, pages);
    expect(status).toBe(201);
    expect(json).toMatchObject({
      number: "NM-TEST01",
      name: "Lease of a hall",
      user: "Olga Owner",
      branch: "Preston",
      manager: "Ada Admin",
      category: "Contract",
      status: "active",
      active: true,
      expire_date: "2027-11-21",
      prolongation: true,
      pages: 4,
      custom_fields: [
        { name: "Bank", value: "Northern Trade Bank" },
        { name: "Amount", value: "£48,200.00" },
      ],
    });
    expect(json.verify_url).toBe(`https://sealdesk.example/v/${json.code}`);
    expect(json.files.qrcode).toMatch(/^data:image\/png;base64,/);
    expect(json.files.pages).toMatchObject([
      { n: 1, name: "lease.pdf", type: "application/pdf", pages: 3, width: 595, height: 842 },
      { n: 2, name: "Plän.JPG", type: "image/jpeg", pages: 1, width: 400, height: 600 },
    ]);
    expect(json.files.pages[1].sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  test("assigns a number where none is given, and refuses one in use, ignoring case", async () => {
    const { company, issue } = await testProvider();
    const { admin } = await company();
    expect((await issue(admin.token)).json.number).toMatch(/^NM-\w{6}$/);
    await issue(admin.token, { number: "NM-ABC" });
    const { status, json } = await issue(admin.token, { number: "nm-abc" });
    expect(status).toBe(422);
    expect(json.errors).toEqual({ number: ["The number nm-abc is already used: choose another"] });
    const other = await company();
    expect((await issue(other.admin.token, { number: "NM-ABC" })).status).toBe(201);
  });

  test("is idempotent: the same draft sent again gets the same document, also at the same time", async () => {
    const { company, issue, call } = await testProvider();
    const { admin } = await company();
    const send = () => issue(admin.token, { number: "NM-ONCE" }, undefined, { "idempotency-key": "draft-1" });
    const answers = [...(await Promise.all([send(), send()])), await send()];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    expect((await call("listDocuments", { token: admin.token })).json).toHaveLength(1);
    expect((await call("currentUser", { token: admin.token })).json.usage).toMatchObject({ documents: 1, pages: 1 });
  });

  test("answers a repeated key only with a document that the user may still read", async () => {
    const { company, branch, user, group, issue, call } = await testProvider();
    const { id, admin } = await company();
    const { id: branchId } = await branch(id, "Preston");
    await group(id, "Clerks", { docs: "P:R/W/C" });
    await group(id, "Board", { docs: "C:R/W/C" });
    const clerk = await user(id, { name: "Cat Clerk", group: "Clerks", branchId });
    const helen = await user(id, { name: "Helen", branchId });
    const send = () => issue(clerk.token, { number: "NM-MINE" }, undefined, { "idempotency-key": "k1" });
    const { json: issued } = await send();
    const secret = { ...change, email: helen.email, users_access_group: "Board", name: "Board secret" };
    const params = { id: issued.id };
    expect((await call("updateDocument", { token: helen.token, params, body: secret })).status).toBe(200);
    expect((await call("getDocument", { token: clerk.token, params })).status).toBe(404);
    const again = await send();
    expect([again.status, again.json]).toEqual([
      409,
      { message: "This draft was issued already, as a document that you may no longer see. Ask an administrator." },
    ]);
    expect((await call("listDocuments", { token: admin.token })).json).toHaveLength(1);
  });

  test("refuses a key with another draft or other pages, and stores none of them", async () => {
    const { company, issue, call, services } = await testProvider();
    const { admin } = await company();
    const send = async (fields: object, pages?: File[]) =>
      issue(admin.token, { number: "NM-ONCE", ...fields }, pages, { "idempotency-key": "k1" });
    const { json: issued } = await send({});
    const folders = await services.files.list("documents");
    for (const other of [
      await send({ name: "Renamed" }),
      await send({}, [asFile(await pngFile(20, 20), "page.png")]),
    ]) {
      expect(other.status).toBe(422);
      expect(other.json.message).toMatch(/^This draft was issued already, as NM-ONCE, and has been changed since/);
    }
    expect((await send({})).json).toMatchObject({ id: issued.id, name: issued.name });
    expect(await services.files.list("documents")).toEqual(folders);
    // What becomes of the document later is no other draft.
    const renamed = { ...change, email: admin.email, name: "Renamed" };
    await call("updateDocument", { token: admin.token, params: { id: issued.id }, body: renamed });
    expect((await send({})).json).toMatchObject({ id: issued.id, name: "Renamed" });
  });

  test("accepts keys of documents without a request digest", async () => {
    const { company, issue, db } = await testProvider();
    const { admin } = await company();
    const send = (name: string) => issue(admin.token, { name }, undefined, { "idempotency-key": "k1" });
    const { json: issued } = await send("Old");
    await db.updateTable("documents").set({ request_digest: null }).execute();
    expect((await send("Old, typed otherwise")).json.id).toBe(issued.id);
  });

  test("refuses too long keys, and distinguishes two long ones", async () => {
    const { company, issue, services } = await testProvider();
    const { admin } = await company();
    const send = (key: string) => issue(admin.token, {}, undefined, { "idempotency-key": key });
    const long = "k".repeat(199);
    const [one, other] = [await send(`${long}1`), await send(`${long}2`)];
    expect([one.status, other.status]).toEqual([201, 201]);
    expect(other.json.id).not.toBe(one.json.id);
    const refused = await send(`${long}12`);
    expect(refused.status).toBe(422);
    expect(refused.json.errors).toEqual({ "Idempotency-Key": ["Send a key of 200 characters or fewer"] });
    expect(await services.files.list("documents")).toHaveLength(2);
  });

  test("names every missing or invalid field", async () => {
    const { company, issue } = await testProvider();
    const { admin } = await company();
    const { status, json } = await issue(admin.token, {
      name: undefined,
      email: "nobody",
      document_subtype: "Vehicle",
      date: "31-02-2026",
      expire_type: "date",
      access_type: "everyone",
      users_access_group: "",
      qr_placing: "middle",
      "custom_fields[0][name]": "Bank",
      "custom_fields[0][value]": "",
      "custom_fields[1][name]": "bank",
      "custom_fields[1][value]": "Other",
    });
    expect(status).toBe(422);
    const first = Object.fromEntries(
      Object.entries(json.errors).map(([field, messages]) => [field, (messages as string[])[0]]),
    );
    expect(first).toMatchObject({
      name: "Enter the document name",
      email: "Enter an email address like name@company.example",
      date: "Enter the creation date as day, month, year, like 19-11-2026",
      access_type: "Choose the document access type",
      users_access_group: "Choose the company users access group",
      qr_placing: "Choose where the QR goes",
      "custom_fields[0][value]": "Enter the value of the custom field",
      "custom_fields[1][name]": "There is already a field “bank”: change one name",
    });
  });

  test.each([
    [
      "a subtype of another type",
      { document_subtype: "Vehicle" },
      { document_subtype: "Choose a subtype that belongs to the document type" },
    ],
    [
      "no date to expire on",
      { expire_type: "date" },
      { expire_date: "Enter the expire date, or choose that it never expires" },
    ],
    [
      "a date to expire on before it begins",
      { expire_type: "date", expire_date: "2026-11-21" },
      { expire_date: "Enter an expire date after the creation date" },
    ],
    [
      "an owner whom nobody knows",
      { email: "nobody@company.example" },
      { email: "Enter the email of a user for whom you may issue documents" },
    ],
    [
      "a group that is not there",
      { users_access_group: "Pirates" },
      { users_access_group: "Choose an access group of your company" },
    ],
    [
      "a control character",
      { name: "Lea\u0000se" },
      { name: "Type the document name again: it contains a character that can’t be kept" },
    ],
    ["a long name", { name: "x".repeat(201) }, { name: "Shorten the document name to 200 characters" }],
  ])("refuses %s", async (_, fields, errors) => {
    const { company, issue } = await testProvider();
    const { admin } = await company();
    const { status, json } = await issue(admin.token, fields);
    expect(status).toBe(422);
    expect(json.errors).toEqual(
      Object.fromEntries(Object.entries(errors).map(([field, message]) => [field, [message]])),
    );
  });

  test("names the fault of every page file, and stores none", async () => {
    const { company, issue, call } = await testProvider();
    const { admin } = await company();
    const cut = (await pngFile(800, 800)).subarray(0, 400);
    const pages = [
      asFile(await pngFile(), "good.png"),
      asFile(Buffer.from("MZ\u0090 a program"), "program.png"),
      asFile(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), "drawing.jpg"),
      asFile(await lockedPdfFile(), "locked.pdf"),
      asFile(Buffer.from("%PDF-1.7 and nothing else"), "broken.pdf"),
      asFile(cut, "cut.png"),
    ];
    const { status, json } = await issue(admin.token, {}, pages);
    expect(status).toBe(422);
    expect(json.errors).toEqual({
      files: [
        "“program.png” is not a JPG, PNG or PDF",
        "“drawing.jpg” is not a JPG, PNG or PDF",
        "“locked.pdf” is protected by a password: remove the password and add it again",
        "“broken.pdf” is damaged and can’t be read",
        "“cut.png” is damaged and can’t be read",
      ],
    });
    expect((await issue(admin.token, {}, [])).json.errors).toEqual({ files: ["Add at least one page file"] });
    expect((await call("listDocuments", { token: admin.token })).json).toEqual([]);
  });

  test("refuses a file of more than 25 MB, naming it, and more than 100 files", async () => {
    const { company, issue } = await testProvider();
    const { admin } = await company();
    const large = asFile(Buffer.alloc(25 * 1024 * 1024 + 1), "large.png");
    const tooLarge = await issue(admin.token, {}, [large]);
    expect([tooLarge.status, tooLarge.json.message]).toEqual([413, "“large.png” is larger than 25 MB"]);
    const png = await pngFile(1, 1);
    const many = Array.from({ length: 101 }, (_, n) => asFile(png, `${n}.png`));
    expect((await issue(admin.token, {}, many)).status).toBe(413);
  });

  test("keeps the pages of an issued document when the reply fails", async () => {
    const { company, call, services, db } = await testProvider();
    const { admin } = await company();
    const broken = {
      ...services,
      publicUrl: {
        toString: () => {
          throw new Error("made to fail");
        },
      } as never,
    };
    const actor = (await actorOf(db, admin.token, services.now()))!;
    const form = draftForm({ email: admin.email }, [asFile(await pngFile(), "page.png")]);
    const failing = createProvider({ ...broken, log: { info() {}, warn() {}, error() {} } });
    const headers = { authorization: `Bearer ${admin.token}` };
    const request = new Request("http://provider/api/documents/storeDocument", { method: "POST", headers, body: form });
    expect((await failing.fetch(request, { clientAddress: "192.0.2.1" })).status).toBe(500);
    const { id } = await db
      .selectFrom("documents")
      .where("created_by", "=", actor.id)
      .select("id")
      .executeTakeFirstOrThrow();
    expect((await call("getPageFile", { token: admin.token, params: { id, n: 1 } })).status).toBe(200);
  });

  test("leaves no files of refused requests", async () => {
    const { company, issue, services } = await testProvider();
    const { admin } = await company();
    await issue(admin.token, { name: "" });
    await issue(admin.token, {}, [asFile(Buffer.from("no picture"), "x.png")]);
    expect(await services.files.list("documents")).toEqual([]);
  });

  test("needs the right to create, and an owner in its scope", async () => {
    const { company, branch, user, group, issue } = await testProvider();
    const { id, admin } = await company();
    const { id: branchId } = await branch(id, "Preston");
    await group(id, "Own documents", { docs: "P:R/C" });
    await group(id, "Branch documents", { docs: "B:R/C" });
    const reader = await user(id, { group: "Branch Inspector" });
    const own = await user(id, { group: "Own documents", branchId });
    const inBranch = await user(id, { group: "Branch documents", branchId });
    expect((await issue(reader.token)).status).toBe(403);
    expect((await issue(own.token)).status).toBe(201);
    expect((await issue(own.token, { email: inBranch.email })).status).toBe(422);
    expect((await issue(inBranch.token, { email: own.email })).status).toBe(201);
    expect((await issue(inBranch.token, { email: admin.email })).status).toBe(422);
  });

  test("refuses malformed bodies", async () => {
    const { company, provider } = await testProvider();
    const { admin } = await company();
    const send = (type: string, body: string) =>
      provider.fetch(
        new Request("http://provider/api/documents/storeDocument", {
          method: "POST",
          headers: { "content-type": type, authorization: `Bearer ${admin.token}` },
          body,
        }),
        { clientAddress: "192.0.2.1" },
      );
    for (const [type, body] of [
      ["application/json", "{"],
      ["application/json", "[]"],
      ["multipart/form-data", "no boundary"],
      ["multipart/form-data; boundary=x", "--x\r\nbroken"],
      ["text/plain", "__proto__[name]=x&constructor=y"],
    ] as const) {
      expect((await send(type, body)).status, `${type} ${body}`).toBe(422);
    }
  });
});

suite("GET /documents", () => {
  test("ignores malformed cursors", async () => {
    const { call, company, issue } = await testProvider();
    const { token } = (await company()).admin;
    await issue(token);
    for (const place of ['["\\u0000", 1]', '["2026-01-01", -1]', '["2026-01-01"]', "[", "null"]) {
      const query = { page: 1, per_page: 5, after: Buffer.from(place).toString("base64url") };
      expect((await call("listDocuments", { token, query })).json, place).toHaveLength(1);
    }
  });

  test("lists the newest first, and all without a page", async () => {
    const { call, company, issue } = await testProvider();
    const { admin } = await company();
    for (let n = 1; n <= 7; n++) await issue(admin.token, { name: `Paper ${n}`, date: day(n) });
    const { json, headers } = await call("listDocuments", { token: admin.token });
    expect(names(json)).toEqual([7, 6, 5, 4, 3, 2, 1].map((n) => `Paper ${n}`));
    expect(headers.get("x-total-count")).toBe("7");
    const page = await call("listDocuments", { token: admin.token, query: { page: 2, per_page: 5, sort: "name" } });
    expect(names(page.json)).toEqual(["Paper 6", "Paper 7"]);
    expect(page.headers.get("x-total-count")).toBe("7");
  });

  test("skips counting when the client prefers no count", async () => {
    const { call, company, issue } = await testProvider();
    const { token } = (await company()).admin;
    for (let n = 1; n <= 4; n++) await issue(token);
    const partOf = async (page: number) => {
      const query = { page, per_page: 2 };
      const { json, headers } = await call("listDocuments", { token, query, headers: { prefer: uncounted } });
      return [json.length, headers.get("x-total-count"), headers.get("x-total-is-capped")];
    };
    expect(await partOf(1)).toEqual([2, "2", "1"]);
    expect(await partOf(2)).toEqual([2, "4", null]);
  });

  test("filters by name, email, number, branch, date and status", async () => {
    const { call, company, branch, user, issue } = await testProvider();
    const { id, admin } = await company();
    const { id: branchId } = await branch(id, "Preston");
    const owner = await user(id, { branchId });
    const { json: lease } = await issue(admin.token, {
      name: "Lease ÉTÉ",
      date: day(1),
      number: "NM-AAA111",
      email: owner.email,
    });
    await issue(admin.token, { name: "Invoice 100%", date: day(2) });
    await call("exitDocument", { token: admin.token, params: { id: lease.id } });
    const find = async (query: Record<string, string>) =>
      names((await call("listDocuments", { token: admin.token, query })).json);
    expect(await find({ name: "été" })).toEqual(["Lease ÉTÉ"]);
    expect(await find({ name: "0%" })).toEqual(["Invoice 100%"]);
    expect(await find({ email: owner.email.slice(0, 8).toUpperCase() })).toEqual(["Lease ÉTÉ"]);
    expect(await find({ number: "aaa1" })).toEqual(["Lease ÉTÉ"]);
    expect(await find({ branch: "Preston" })).toEqual(["Lease ÉTÉ"]);
    expect(await find({ branch: "Prest" })).toEqual([]);
    expect(await find({ date: "02-11-2026" })).toEqual(["Invoice 100%"]);
    expect(await find({ date_from: day(2) })).toEqual(["Invoice 100%"]);
    expect(await find({ date_to: "01.11.2026" })).toEqual(["Lease ÉTÉ"]);
    expect(await find({ status: "exited" })).toEqual(["Lease ÉTÉ"]);
    expect(await find({ status: "active,exited" })).toHaveLength(2);
    expect(await find({ status: "archived" })).toEqual([]);
  });

  test("lists documents within scope and access group", async () => {
    const { call, company, branch, user, group, issue } = await testProvider();
    const { id, admin } = await company();
    const { id: preston } = await branch(id, "Preston");
    const { id: lancaster } = await branch(id, "Lancaster");
    await group(id, "Own documents", { docs: "P:R" });
    const inspector = await user(id, { group: "Branch Inspector", branchId: preston });
    const accountant = await user(id, { group: "Accountant", branchId: lancaster });
    const own = await user(id, { group: "Own documents", branchId: preston });
    await issue(admin.token, { name: "Preston", email: inspector.email });
    await issue(admin.token, { name: "Lancaster", email: accountant.email });
    await issue(admin.token, { name: "For accountants", email: inspector.email, users_access_group: "Accountant" });
    await issue(admin.token, { name: "Own", email: own.email });
    await issue((await company()).admin.token, { name: "Another company's" });
    const seen = async (token: string) =>
      new Set(names((await call("listDocuments", { token, query: { page: 1, per_page: 50 } })).json));
    expect(await seen(admin.token)).toEqual(new Set(["Preston", "Lancaster", "For accountants", "Own"]));
    expect(await seen(accountant.token)).toEqual(new Set(["Preston", "Lancaster", "For accountants", "Own"]));
    expect(await seen(inspector.token)).toEqual(new Set(["Preston", "For accountants", "Own"]));
    expect(await seen(own.token)).toEqual(new Set(["Own"]));
  });

  test("needs a token", async () => {
    const { call } = await testProvider();
    expect((await call("listDocuments")).status).toBe(401);
  });
});

suite("GET /documents/{id}", () => {
  test("accepts any id and any search text", async () => {
    const { call, company } = await testProvider();
    const { token } = (await company()).admin;
    expect((await call("getDocument", { token, params: { id: "99999999999" } })).status).toBe(404);
    const query = { name: "a\u0000\ud800", branch: "\u0000", status: "\u0000" };
    expect((await call("listDocuments", { token, query })).status).toBe(200);
  });

  test("answers another company's document like a missing one", async () => {
    const { call, company, issue } = await testProvider();
    const { admin } = await company();
    const other = await company();
    const { json } = await issue(other.admin.token);
    const foreign = await call("getDocument", { token: admin.token, params: { id: json.id } });
    const missing = await call("getDocument", { token: admin.token, params: { id: 999_999 } });
    const nonsense = await call("getDocument", { token: admin.token, params: { id: "x" } });
    expect(foreign.status).toBe(404);
    expect(foreign.bytes).toEqual(missing.bytes);
    expect(nonsense.bytes).toEqual(missing.bytes);
  });

  test("is inactive from the day after it expires, in the company's time zone", async () => {
    const { call, company, issue, clock } = await testProvider();
    const { admin } = await company();
    const { json } = await issue(admin.token, { expire_type: "date", expire_date: day(25) });
    clock.now = new Date("2026-11-25T23:59:00Z");
    const { json: session } = await call("login", { body: { email: admin.email, password } });
    const isActive = async () =>
      (await call("getDocument", { token: session.token, params: { id: json.id } })).json.active;
    expect(await isActive()).toBe(true);
    clock.now = new Date("2026-11-26T00:01:00Z");
    expect(await isActive()).toBe(false);
  });
});

suite("PUT /documents/{id}", () => {
  test("changes its fields but neither number nor pages", async () => {
    const { call, company, issue, db } = await testProvider();
    const { admin } = await company();
    const { json: before } = await issue(admin.token, { number: "NM-1" });
    const body = { ...change, email: admin.email, number: "NM-2", version: before.version };
    const { status, json } = await call("updateDocument", { token: admin.token, params: { id: before.id }, body });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      number: "NM-1",
      document_type: "Permit",
      users_access_group: "Accountant",
      custom_fields: [{ name: "Bank", value: "North" }],
      version: 2,
    });
    expect(json.files.pages).toEqual(before.files.pages);
    const audit = await db.selectFrom("audit").where("action", "=", "changed").selectAll().executeTakeFirstOrThrow();
    const changes = JSON.parse(audit.changes) as { field: string; before: unknown; after: unknown }[];
    expect(changes).toContainEqual({ field: "name", before: "Lease of a hall", after: "Permit" });
    expect(changes.map(({ field }) => field)).not.toContain("qr_placing");
  });

  test("ignores company, owner, code, status and files beside the form’s fields", async () => {
    const { call, company, group, user, issue, db } = await testProvider();
    const [{ id, admin }, other] = [await company(), await company()];
    await group(id, "Own papers", { docs: "P:R/W/C" });
    const author = await user(id, { group: "Own papers" });
    const smuggled = {
      id: 1,
      company_id: other.id,
      owner_id: admin.id,
      created_by: admin.id,
      branch_id: 1,
      access_group_id: 1,
      code: "0".repeat(17),
      status: "archived",
      folder: "documents/others",
      pages: 9999,
      created_at: "1970-01-01",
    };
    const { json: document } = await issue(author.token, smuggled);
    const row = () => db.selectFrom("documents").where("id", "=", document.id).selectAll().executeTakeFirstOrThrow();
    const { name: _, name_key: __, version, ...issued } = await row();
    expect(issued).toMatchObject({
      company_id: id,
      owner_id: author.id,
      created_by: author.id,
      branch_id: null,
      access_group_id: null,
      status: "active",
      pages: 1,
    });
    expect([issued.code, issued.folder]).not.toEqual([smuggled.code, smuggled.folder]);
    const fields = Object.fromEntries(draftForm({ name: "Renamed", email: author.email }, []));
    const sent = { token: author.token, params: { id: document.id } };
    expect((await call("updateDocument", { ...sent, body: { ...fields, ...smuggled } })).json.name).toBe("Renamed");
    expect(await row()).toMatchObject({ ...issued, version: version + 1 });
    const raise = await call("updateDocument", { ...sent, body: { ...fields, email: admin.email } });
    expect(raise.json.errors.email).toHaveLength(1);
  });

  test("refuses an outdated version, naming who changed it and when", async () => {
    const { call, company, issue, user } = await testProvider();
    const { id, admin } = await company();
    const other = await user(id, { name: "Olga Other" });
    const { json: before } = await issue(admin.token);
    const params = { id: before.id };
    const body = { ...change, users_access_group: "Branch staff", email: admin.email, version: before.version };
    expect((await call("updateDocument", { token: other.token, params, body })).status).toBe(200);
    const late = await call("updateDocument", { token: admin.token, params, body });
    expect([late.status, late.json.message]).toEqual([409, "Olga Other changed this at 10:00"]);
  });

  test("keeps the branch while the owner stays, wherever they moved", async () => {
    const { call, company, branch, issue, user, db } = await testProvider();
    const { id, admin } = await company();
    const [preston, leeds] = [await branch(id, "Preston"), await branch(id, "Leeds")];
    const owner = await user(id, { branchId: preston.id });
    const { json } = await issue(admin.token, { email: owner.email });
    await db.updateTable("users").set({ branch_id: leeds.id, active: 0 }).where("id", "=", owner.id).execute();
    const body = { ...change, email: owner.email };
    const answer = await call("updateDocument", { token: admin.token, params: { id: json.id }, body });
    expect(answer.json).toMatchObject({ name: "Permit", branch: "Preston", email: owner.email });
  });

  test("refuses an invalid placing", async () => {
    const { call, company, issue } = await testProvider();
    const { admin } = await company();
    const { json } = await issue(admin.token);
    const body = { ...change, email: admin.email, qr_placing: "constructor:constructor:constructor" };
    const answer = await call("updateDocument", { token: admin.token, params: { id: json.id }, body });
    expect(answer.json.errors).toEqual({ qr_placing: ["Choose where the QR goes"] });
  });

  test("refuses archived documents", async () => {
    const { call, company, issue } = await testProvider();
    const { admin } = await company();
    const { json } = await issue(admin.token);
    await call("archiveDocument", { token: admin.token, params: { id: json.id } });
    const body = { ...change, email: admin.email };
    const { status, json: refused } = await call("updateDocument", {
      token: admin.token,
      params: { id: json.id },
      body,
    });
    expect([status, refused.message]).toEqual([409, "This document is in the archive: restore it first"]);
  });

  test("needs the right to write; not found without the right to read", async () => {
    const { call, company, issue, user } = await testProvider();
    const { id, admin } = await company();
    const reader = await user(id, { group: "Branch Inspector" });
    const { json } = await issue(admin.token, { email: reader.email });
    const params = { id: json.id };
    const body = { ...change, email: admin.email };
    expect((await call("updateDocument", { token: reader.token, params, body })).status).toBe(403);
    const other = await company();
    expect((await call("updateDocument", { token: other.admin.token, params, body })).status).toBe(404);
    expect((await call("updateDocument", { token: admin.token, params, body: {} })).status).toBe(422);
  });
});

/** The actions share their authorization; each has tests of its effect. */
const forWritersOnly = (
  name: "archiveDocument" | "restoreDocument" | "exitDocument" | "reactivateDocument" | "prolongDocument",
) =>
  test("needs the right to write", async () => {
    const { call, company, issue, user } = await testProvider();
    const { id, admin } = await company();
    const reader = await user(id, { group: "Branch Inspector" });
    const { json } = await issue(admin.token, { email: reader.email });
    expect((await call(name, { token: reader.token, params: { id: json.id } })).status).toBe(403);
    expect((await call(name, { token: (await company()).admin.token, params: { id: json.id } })).status).toBe(404);
    expect((await call(name, { params: { id: json.id } })).status).toBe(401);
  });

suite("POST /documents/{id}/archive", () => {
  test("archives it idempotently, with one audit entry", async () => {
    const { call, company, issue, db } = await testProvider();
    const { admin } = await company();
    const { json } = await issue(admin.token);
    const archive = () => call("archiveDocument", { token: admin.token, params: { id: json.id } });
    expect((await archive()).json).toMatchObject({ status: "archived", active: false });
    expect((await archive()).json).toMatchObject({ status: "archived", version: 2 });
    const noted = await db.selectFrom("audit").where("action", "=", "archived").selectAll().execute();
    expect(noted).toMatchObject([{ actor: "Ada Admin", entity_name: "Lease of a hall" }]);
  });
  forWritersOnly("archiveDocument");
});

suite("POST /documents/{id}/restore", () => {
  test("restores its earlier status", async () => {
    const { call, company, issue } = await testProvider();
    const { admin } = await company();
    const { json } = await issue(admin.token);
    const sent = { token: admin.token, params: { id: json.id } };
    await call("exitDocument", sent);
    await call("archiveDocument", sent);
    expect((await call("restoreDocument", sent)).json.status).toBe("exited");
  });
  forWritersOnly("restoreDocument");
});

suite("POST /documents/{id}/exit", () => {
  test("withdraws it unless archived", async () => {
    const { call, company, issue } = await testProvider();
    const { admin } = await company();
    const { json } = await issue(admin.token);
    const sent = { token: admin.token, params: { id: json.id } };
    expect((await call("exitDocument", sent)).json).toMatchObject({ status: "exited", active: false });
    await call("archiveDocument", sent);
    expect((await call("exitDocument", sent)).status).toBe(409);
  });
  forWritersOnly("exitDocument");
});

suite("POST /documents/{id}/reactivate", () => {
  test("reactivates it unless archived", async () => {
    const { call, company, issue } = await testProvider();
    const { admin } = await company();
    const { json } = await issue(admin.token);
    const sent = { token: admin.token, params: { id: json.id } };
    await call("exitDocument", sent);
    expect((await call("reactivateDocument", sent)).json).toMatchObject({ status: "active", active: true });
    await call("archiveDocument", sent);
    expect((await call("reactivateDocument", sent)).status).toBe(409);
  });
  forWritersOnly("reactivateDocument");
});

suite("POST /documents/{id}/prolong", () => {
  test("extends by the first period each time", async () => {
    const { call, company, issue } = await testProvider();
    const { admin } = await company();
    const dates = { date: "2026-02-28", expire_type: "date", expire_date: "2027-02-27", prolongation: "1" };
    const { json } = await issue(admin.token, dates);
    const prolong = () => call("prolongDocument", { token: admin.token, params: { id: json.id } });
    expect((await prolong()).json.expire_date).toBe("2028-02-27");
    expect((await prolong()).json.expire_date).toBe("2029-02-27");
  });

  test("extends by the period that was entered last", async () => {
    const { call, company, issue } = await testProvider();
    const { admin } = await company();
    const dates = { date: "2026-01-01", expire_type: "date", expire_date: "2026-01-31", prolongation: "1" };
    const { json } = await issue(admin.token, dates);
    const params = { id: json.id };
    const body = { ...change, email: admin.email, ...dates, expire_date: "2027-01-01" };
    await call("updateDocument", { token: admin.token, params, body });
    const prolonged = await call("prolongDocument", { token: admin.token, params });
    expect(prolonged.json.expire_date).toBe("2028-01-01");
  });

  test("refuses to go beyond the year 9999", async () => {
    const { call, company, issue } = await testProvider();
    const { admin } = await company();
    const dates = { date: "2026-01-01", expire_type: "date", expire_date: "9999-12-31", prolongation: "1" };
    const { json } = await issue(admin.token, dates);
    const sent = { token: admin.token, params: { id: json.id } };
    expect((await call("prolongDocument", sent)).json.message).toBe(
      "The later expire date would be after the year 9999",
    );
    expect((await call("getDocument", sent)).json.expire_date).toBe("9999-12-31");
  });

  test("is only for active documents with prolongation", async () => {
    const { call, company, issue } = await testProvider();
    const { admin } = await company();
    const { json } = await issue(admin.token, { expire_type: "date", expire_date: day(30) });
    const sent = { token: admin.token, params: { id: json.id } };
    expect((await call("prolongDocument", sent)).status).toBe(409);
    await call("exitDocument", sent);
    expect((await call("prolongDocument", sent)).json.message).toBe("Only an active document can be prolonged");
  });
  forWritersOnly("prolongDocument");
});
