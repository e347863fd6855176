import { setImmediate as pause } from "node:timers/promises";
import { describe, expect, inject, test } from "vitest";
import { uncounted } from "../contract/fields.ts";
import { hasDatabase, password, testProvider } from "#tests/fixtures/provider.ts";
import { activeActor } from "../db/actors.ts";
import { documentReply } from "./document-queries.ts";

const suite = describe.runIf(hasDatabase());

const names = (rows: { name: string }[]) => rows.map(({ name }) => name);

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
    expect(json.placings).toHaveLength(40);
    expect(names(json.owners)).toEqual(["Ada Admin", "Olga Owner"]);
    expect(json.number).toMatch(/^NM-[0-9A-HJKMNP-TV-Z]{6}$/);
    expect(json.date).toBe("2026-07-01");
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
    for (const date of ["11-2026", "2026", "11"]) expect(await find({ date }), date).toHaveLength(2);
    expect(await find({ date: "02-11" })).toEqual(["Invoice 100%"]);
    for (const date of ["12-2026", "2027", "tomorrow"]) expect(await find({ date }), date).toEqual([]);
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
    const visibleNames = async (token: string) =>
      new Set(names((await call("listDocuments", { token, query: { page: 1, per_page: 50 } })).json));
    expect(await visibleNames(admin.token)).toEqual(new Set(["Preston", "Lancaster", "For accountants", "Own"]));
    expect(await visibleNames(accountant.token)).toEqual(new Set(["Preston", "Lancaster", "For accountants", "Own"]));
    expect(await visibleNames(inspector.token)).toEqual(new Set(["Preston", "For accountants", "Own"]));
    expect(await visibleNames(own.token)).toEqual(new Set(["Own"]));
  });

  test("needs a token", async () => {
    const { call } = await testProvider();
    expect((await call("listDocuments")).status).toBe(401);
  });
});

suite("GET /documents/{id}", () => {
  test.runIf(inject("database") === "sqlite")("tells one state of it, whatever is written meanwhile", async () => {
    const { company, issue, services, db } = await testProvider();
    const { admin } = await company();
    const { json } = await issue(admin.token);
    const actor = (await activeActor(db, admin.id))!;
    const field = { document_id: json.id, n: 100, name: "Written", value: "meanwhile" };
    const written = pause().then(() => db.insertInto("custom_fields").values(field).execute());
    const reply = await documentReply(services, actor, json.id);
    await written;
    expect(reply.custom_fields).toEqual(json.custom_fields);
  });

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
