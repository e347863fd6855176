import { describe, expect, test } from "vitest";
import type { CallName } from "../contract/calls.ts";
import { branchForm } from "#tests/fixtures/forms.ts";
import { hasDatabase, type TestProvider, testProvider } from "#tests/fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());

type Entry = { action: string; changes: { field: string; before: unknown; after: unknown }[] };

/** An entry's changes by field, as `[before, after]`. */
const byField = ({ changes }: Entry) =>
  Object.fromEntries(changes.map(({ field, before, after }) => [field, [before, after]]));
const actions = (entries: Entry[]) => entries.map(({ action }) => action);

const newcomer = { name: "Nora New", email: "nora@company.example", staff: "Accountant", branch: "", city: "Preston" };

/** What a document becomes that `issue` made; as `updateDocument` wants it. */
const permit = {
  document_type: "Permit",
  document_subtype: "Vehicle",
  name: "Permit",
  date: "2026-11-20",
  expire_type: "date",
  expire_date: "2026-12-20",
  access_type: "QR access",
  users_access_group: "Accountant",
  prolongation: true,
};

suite("GET /audit", () => {
  test("shows administrators who did what to which record, newest first, and others nothing", async () => {
    const { call, company, user, clock } = await testProvider();
    const { id, name, admin } = await company();
    await company();
    clock.now = new Date("2026-11-21T19:14:00Z");
    const { json: nora } = await call("createUser", { token: admin.token, body: newcomer });
    const { json, headers } = await call("listAudit", { token: admin.token });
    expect(headers.get("x-total-count")).toBe("4");
    expect(
      json.map(({ action, entity, entity_name }: Record<string, string>) => [action, entity, entity_name]),
    ).toEqual([
      ["invited", "user", "Nora New"],
      ["added", "user", "Nora New"],
      ["added", "user", "Ada Admin"],
      ["founded", "company", name],
    ]);
    expect(json[0]).toMatchObject({ at: "2026-11-21T19:14:00.000Z", actor: "Ada Admin", entity_id: nora.id });
    const accountant = await user(id, { group: "Accountant" });
    expect((await call("listAudit", { token: accountant.token })).status).toBe(403);
    expect((await call("listAudit")).status).toBe(401);
  });

  test("is closed to users whose right to change access groups is below the company scope", async () => {
    const { call, company, group, user } = await testProvider();
    const { id } = await company();
    await group(id, "Half", { roles: "B:R/W" });
    expect((await call("listAudit", { token: (await user(id, { group: "Half" })).token })).status).toBe(403);
  });

  test("filters by part of the actor, the action, and the record's kind or name", async () => {
    const { call, company, user } = await testProvider();
    const { id, admin } = await company("Reid & Sons");
    const bea = await user(id, { name: "Bea Brown" });
    await call("createUser", { token: bea.token, body: newcomer });
    const find = async (query: Record<string, string>) =>
      actions((await call("listAudit", { token: admin.token, query })).json);
    expect(await find({ actor: "BROWN" })).toEqual(["invited", "added"]);
    expect(await find({ action: "add" })).toEqual(["added", "added"]);
    expect(await find({ entity: "company" })).toEqual(["founded"]);
    expect(await find({ entity: "nora" })).toEqual(["invited", "added"]);
    expect(await find({ actor: "bea", action: "invited", entity: "user" })).toEqual(["invited"]);
    expect(await find({ actor: "%" })).toEqual([]);
  });

  test("takes dates in the company's time zone, in both notations", async () => {
    const { call, company, clock, db } = await testProvider();
    const { id, admin } = await company();
    // Half past midnight in Auckland, on the day before in London.
    await db.updateTable("companies").set({ timezone: "Pacific/Auckland" }).where("id", "=", id).execute();
    clock.now = new Date("2026-11-21T11:30:00Z");
    await call("createBranch", { token: admin.token, body: branchForm });
    const count = async (query: Record<string, string>) =>
      (await call("listAudit", { token: admin.token, query })).json.length;
    expect(await count({ date_from: "2026-11-22" })).toBe(1);
    expect(await count({ date_from: "22-11-2026", date_to: "22-11-2026" })).toBe(1);
    expect(await count({ date_from: "2026-11-23" })).toBe(0);
    expect(await count({ date_to: "2026-11-21" })).toBe(2);
    expect(await count({ date_from: "yesterday" })).toBe(0);
    expect(await count({ date_to: "31-02-2026" })).toBe(0);
    expect(await count({ date_to: "9999-12-31" })).toBe(3);
  });

  test("is always paged, in either order", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    for (let n = 0; n < 3; n++) {
      await call("createUser", { token: admin.token, body: { ...newcomer, email: `nora${n}@company.example` } });
    }
    expect((await call("listAudit", { token: admin.token })).json).toHaveLength(5);
    const { json, headers } = await call("listAudit", {
      token: admin.token,
      query: { page: 2, per_page: 3, sort: "at" },
    });
    expect([actions(json), headers.get("x-total-count")]).toEqual([["invited", "added", "invited"], "8"]);
    expect((await call("listAudit", { token: admin.token, query: { per_page: 101 } })).status).toBe(422);
  });
});

/** The same rules for the history of every kind of record. */
const forReadersOnly = (
  name: CallName,
  area: "docs" | "users" | "branches" | "roles",
  record: (provider: TestProvider, company: { id: number; admin: { token: string } }) => Promise<number>,
) =>
  test("is for readers of the record only", async () => {
    const provider = await testProvider();
    const { call, company, group, user } = provider;
    const own = await company();
    const params = { id: await record(provider, own) };
    await group(own.id, "Readers", { [area]: "C:R" });
    await group(own.id, "Nothing", {});
    await group(own.id, "Elsewhere", { [area]: "P:R" });
    const ask = async (token?: string) => (await call(name, { ...(token && { token }), params })).status;
    expect(await ask(own.admin.token)).toBe(200);
    expect(await ask((await user(own.id, { group: "Readers" })).token)).toBe(200);
    expect(await ask((await user(own.id, { group: "Nothing" })).token)).toBe(403);
    // Permissions for access groups always reach the company.
    if (area !== "roles") expect(await ask((await user(own.id, { group: "Elsewhere" })).token)).toBe(404);
    expect(await ask((await company()).admin.token)).toBe(404);
    expect(await ask()).toBe(401);
    expect((await call(name, { token: own.admin.token, params: { id: 999_999 } })).status).toBe(404);
  });

suite("GET /documents/{id}/history", () => {
  test("shows an issue with the contract's field names", async () => {
    const { call, company, branch, user, issue } = await testProvider();
    const { id, admin } = await company();
    const { id: branchId } = await branch(id, "Preston");
    const olga = await user(id, { name: "Olga Owner", branchId });
    const custom = { "custom_fields[0][name]": "Bank", "custom_fields[0][value]": "North" };
    const { json } = await issue(admin.token, { email: olga.email, number: "NM-1", ...custom });
    await issue(admin.token);
    const history = await call("documentHistory", { token: admin.token, params: { id: json.id } });
    expect(actions(history.json)).toEqual(["issued"]);
    expect(byField(history.json[0])).toEqual({
      name: [null, "Lease of a hall"],
      number: [null, "NM-1"],
      document_type: [null, "Contract"],
      document_subtype: [null, "Lease"],
      date: [null, "2026-11-21"],
      email: [null, olga.email],
      branch: [null, "Preston"],
      users_access_group: [null, "Branch staff"],
      access_type: [null, "QR access"],
      expire_type: [null, "never"],
      prolongation: [null, false],
      qr_placing: [null, "none"],
      pages: [null, 1],
      status: [null, "active"],
      "custom_fields[Bank]": [null, "North"],
    });
  });

  test("shows each changed field, and custom fields by name", async () => {
    const { call, company, branch, user, issue } = await testProvider();
    const { id, admin } = await company();
    const { id: branchId } = await branch(id, "Preston");
    const olga = await user(id, { name: "Olga Owner", branchId });
    const { json } = await issue(admin.token, {
      "custom_fields[0][name]": "Bank",
      "custom_fields[0][value]": "North",
      "custom_fields[1][name]": "Amount",
      "custom_fields[1][value]": "£5",
    });
    const custom_fields = [
      { name: "Currency", value: "GBP" },
      { name: "Bank", value: "South" },
    ];
    const input = { token: admin.token, params: { id: json.id } };
    await call("updateDocument", { ...input, body: { ...permit, email: olga.email, custom_fields } });
    const [changed] = (await call("documentHistory", input)).json;
    expect(byField(changed)).toEqual({
      name: ["Lease of a hall", "Permit"],
      document_type: ["Contract", "Permit"],
      document_subtype: ["Lease", "Vehicle"],
      date: ["2026-11-21", "2026-11-20"],
      email: [admin.email, olga.email],
      branch: [null, "Preston"],
      users_access_group: ["Branch staff", "Accountant"],
      expire_type: ["never", "date"],
      expire_date: [null, "2026-12-20"],
      prolongation: [false, true],
      "custom_fields[Bank]": ["North", "South"],
      "custom_fields[Currency]": [null, "GBP"],
      "custom_fields[Amount]": ["£5", null],
    });
  });

  test("shows what every action changed", async () => {
    const { call, company, issue } = await testProvider();
    const { admin } = await company();
    const { json } = await issue(admin.token, {
      expire_type: "date",
      expire_date: "2026-12-21",
      prolongation: "1",
      date: "2026-11-21",
    });
    const input = { token: admin.token, params: { id: json.id } };
    for (const act of ["exit", "archive", "restore", "reactivate", "prolong"]) {
      expect((await call(`${act}Document` as CallName, input)).status).toBe(200);
    }
    const { json: history } = await call("documentHistory", { ...input, query: { sort: "at", per_page: 10 } });
    expect(history.slice(1).map((entry: Entry) => [entry.action, byField(entry)])).toEqual([
      ["exited", { status: ["active", "exited"] }],
      ["archived", { status: ["exited", "archived"] }],
      ["restored", { status: ["archived", "exited"] }],
      ["reactivated", { status: ["exited", "active"] }],
      ["prolonged", { expire_date: ["2026-12-21", "2027-01-21"] }],
    ]);
  });

  forReadersOnly("documentHistory", "docs", async ({ issue }, { admin }) => (await issue(admin.token)).json.id);

  test("is hidden with a document for another access group", async () => {
    const { call, company, user, issue } = await testProvider();
    const { id, admin } = await company();
    const { json } = await issue(admin.token, { users_access_group: "Administrator" });
    const { token } = await user(id, { group: "Accountant" });
    expect((await call("documentHistory", { token, params: { id: json.id } })).status).toBe(404);
  });
});

suite("GET /users/{id}/history", () => {
  test("shows changes of a user by names, and of passwords only that they were set", async () => {
    const { call, company, branch, mails, db } = await testProvider();
    const { id, admin } = await company();
    await branch(id, "Preston");
    const { json } = await call("createUser", { token: admin.token, body: newcomer });
    const params = { id: json.id };
    const secret = "a password of some length";
    const passwords = { password: secret, password_confirmation: secret };
    const linkOf = (mail: { text: string }) => /token=(\S+)/.exec(mail.text)![1]!;
    const withLinks = () => mails.filter(({ text }) => text.includes("token="));
    await call("signup", { token: linkOf(withLinks()[0]!), body: passwords });
    await call("updateUser", {
      token: admin.token,
      params,
      body: { ...newcomer, branch: "Preston", staff: "Administrator", city: "" },
    });
    await call("updateUser", {
      token: admin.token,
      params,
      body: { ...newcomer, branch: "Preston", staff: "Administrator", city: "", ...passwords },
    });
    await call("forgotPassword", { body: { email: newcomer.email } });
    await expect.poll(() => withLinks().length).toBe(2);
    await call("signup", { token: linkOf(withLinks()[1]!), body: passwords });
    const { json: history } = await call("userHistory", {
      token: admin.token,
      params,
      query: { sort: "at", per_page: 10 },
    });
    expect(history.map((entry: Entry & { actor: string }) => [entry.actor, entry.action])).toEqual([
      ["Ada Admin", "added"],
      ["Ada Admin", "invited"],
      ["Nora New", "joined"],
      ["Ada Admin", "changed"],
      ["Ada Admin", "password changed"],
      ["Nora New", "password reset"],
    ]);
    expect(byField(history[0])).toEqual({
      name: [null, "Nora New"],
      email: [null, newcomer.email],
      city: [null, "Preston"],
      staff: [null, "Accountant"],
      active: [null, true],
    });
    expect(byField(history[3])).toEqual({
      branch: [null, "Preston"],
      staff: ["Accountant", "Administrator"],
      city: ["Preston", null],
    });
    expect(history.slice(4).map(byField)).toEqual([{}, {}]);
    const storedTrail = JSON.stringify(await db.selectFrom("audit").selectAll().execute());
    const { password_hash } = await db
      .selectFrom("users")
      .selectAll()
      .where("id", "=", json.id)
      .executeTakeFirstOrThrow();
    for (const hidden of [secret, password_hash!, ...withLinks().map(linkOf)])
      expect(storedTrail).not.toContain(hidden);
  });

  test("is hidden with a removed user, except from users who may reactivate them", async () => {
    const { call, company, user } = await testProvider();
    const { id, admin } = await company();
    const { id: userId } = await user(id, { name: "Lea Leaver" });
    const input = { token: admin.token, params: { id: userId } };
    await call("removeUser", input);
    const reader = await user(id, { group: "Accountant" });
    expect((await call("userHistory", { ...input, token: reader.token })).status).toBe(404);
    expect((await call("userHistory", input)).json).toMatchObject([{ action: "removed" }]);
    const { json } = await call("listAudit", { token: admin.token, query: { entity: "lea" } });
    expect(json.map((entry: Entry) => [entry.action, byField(entry)])).toEqual([
      ["removed", { active: [true, false] }],
    ]);
  });

  forReadersOnly("userHistory", "users", async ({ user }, { id }) => (await user(id)).id);
});

/** Notes a change of a record whose own endpoints are not what is tested here. */
const note = (provider: TestProvider, company_id: number, entity: string, entity_id: number) => {
  const changes = JSON.stringify([{ field: "name", before: "Old", after: "New" }]);
  const entry = {
    at: "2026-11-21T10:00:00.000Z",
    actor: "Ada Admin",
    actor_id: 1,
    action: "changed",
    entity_name: "New",
  };
  return provider.db
    .insertInto("audit")
    .values({ ...entry, company_id, entity, entity_id, changes })
    .execute();
};

suite("GET /branches/{id}/history", () => {
  test("shows changes of a branch, not of another record with its id", async () => {
    const provider = await testProvider();
    const { id, admin } = await provider.company();
    const { id: branchId } = await provider.branch(id, "Preston");
    await note(provider, id, "branch", branchId);
    await note(provider, id, "user", branchId);
    const { json } = await provider.call("branchHistory", { token: admin.token, params: { id: branchId } });
    expect(json).toMatchObject([{ entity: "branch", changes: [{ field: "name", before: "Old", after: "New" }] }]);
  });

  test("is hidden with a removed branch", async () => {
    const { call, company, branch } = await testProvider();
    const { id, admin } = await company();
    const input = { token: admin.token, params: { id: (await branch(id, "Preston")).id } };
    expect((await call("removeBranch", input)).status).toBe(204);
    expect((await call("branchHistory", input)).status).toBe(404);
  });

  forReadersOnly("branchHistory", "branches", async ({ branch }, { id }) => (await branch(id, "Preston")).id);
});

suite("GET /access-groups/{id}/history", () => {
  test("shows changes of an access group", async () => {
    const provider = await testProvider();
    const { id, admin } = await provider.company();
    const { id: groupId } = await provider.group(id, "Readers of maps", { map: "C:R" });
    await note(provider, id, "access group", groupId);
    const { json } = await provider.call("accessGroupHistory", { token: admin.token, params: { id: groupId } });
    expect(json).toMatchObject([{ entity: "access group", action: "changed", entity_name: "New" }]);
  });

  test("is hidden with a removed access group", async () => {
    const { call, company, group } = await testProvider();
    const { id, admin } = await company();
    const input = { token: admin.token, params: { id: (await group(id, "Short-lived", {})).id } };
    expect((await call("removeAccessGroup", input)).status).toBe(204);
    expect((await call("accessGroupHistory", input)).status).toBe(404);
  });

  forReadersOnly("accessGroupHistory", "roles", async ({ group }, { id }) => (await group(id, "Some", {})).id);
});
