import { Readable } from "node:stream";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { withSecondFactor } from "#tests/fixtures/one-time-codes.ts";
import { asFile, pngFile } from "#tests/fixtures/files.ts";
import { hasDatabase, password, testProvider, type TestProvider } from "#tests/fixtures/provider.ts";
import { issueToken } from "../sessions/tokens.ts";
import { createWordMatcher } from "./personal-words.ts";

/** Erasing a person: afterwards nothing of them is in any table, and what they did has an author all the same. */

const suite = describe.runIf(hasDatabase());

const person = {
  name: "Vera Vanishing",
  email: "vera@vanishing.example",
  phone: "0161 496 0777",
  role: "Vanisher",
  country: "Vanishland",
  city: "Vanishton",
  index: "VA1 1NG",
  info: "Likes to vanish",
};
const now = { ...person, name: "Vera Gone-Married", email: "vera.gone@vanishing.example", address: "7 Vanish Lane" };
const pending = "vera.soon@vanishing.example";
const browser = { token: "a browser’s token", label: "Firefox on Windows" };

/** Texts that are the person's, in whatever case. */
const values = [...new Set([...Object.values(person), ...Object.values(now), pending])].map((value) =>
  value.toLowerCase(),
);

/** Every place of every table that holds one of the person's values, as `table.column: value`. */
async function traces({ db }: TestProvider): Promise<string[]> {
  const matches: string[] = [];
  for (const { name: table } of await db.introspection.getTables()) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db);
    for (const [column, content] of rows.flatMap((row) => Object.entries(row))) {
      const text = (Buffer.isBuffer(content) ? content.toString("latin1") : String(content)).toLowerCase();
      for (const value of values.filter((value) => text.includes(value))) matches.push(`${table}.${column}: ${value}`);
    }
  }
  return matches;
}

/** A company in which the person is everywhere that a person can be. */
async function withPerson() {
  const provider = await testProvider({ removeDrafts: async (_, id) => [`drafts/of-${id}`] });
  const { call, company, branch, issue, db, clock, services } = provider;
  const { id: companyId, admin } = await company();
  const { token } = admin;
  const preston = await branch(companyId, "Preston");
  const secret = { password, password_confirmation: password };
  const added = await call("createUser", { token, body: { ...person, staff: "Administrator", ...secret } });
  expect(added.status, JSON.stringify(added.json)).toBe(201);
  const id: number = added.json.id;
  const signIn = async (email: string) => (await call("login", { body: { email, password }, browser })).json.token;
  const own = await signIn(person.email);
  const form = new FormData();
  for (const [field, value] of Object.entries({ ...now, email: person.email })) form.append(field, value);
  form.append("image", asFile(await pngFile(), "me.png"));
  expect((await call("updateProfile", { token: own, body: form })).status).toBe(200);
  const changeEmail = (email: string) => call("changeEmail", { token: own, body: { email } });
  await changeEmail(now.email);
  const link = /token=(\S+)/.exec(provider.mails.findLast(({ to }) => to === now.email)!.text)![1]!;
  expect((await call("confirmEmail", { token: link })).status).toBe(204);
  await changeEmail(pending);
  const view = { list: "documents", name: `Ask ${person.name}`, query: `name=${encodeURIComponent(now.name)}` };
  const { json: saved } = await call("createView", { token: own, body: view });
  await call("createView", { token, body: view });
  await call("chooseDefaultView", { token: own, body: { list: "documents", view_id: saved.id } });
  expect((await call("createCalendarFeed", { token: own })).status).toBe(201);
  await withSecondFactor({ call, clock }, { token: own });
  const passkey = { credential_id: now.email, public_key: "key", counter: 0, transports: "[]", name: now.name };
  await db
    .insertInto("passkeys")
    .values({ ...passkey, user_id: id, created_at: clock.now.toISOString() })
    .execute();
  const used = { created_at: "2026-11-21T09:00:00.000Z", used_at: "2026-11-21T09:00:00.000Z" };
  const identity = { issuer: "https://login.example", subject: now.email, access_group_id: null, left_at: null };
  await db
    .insertInto("identities")
    .values({ user_id: id, configured_by: 0, ...identity, ...used })
    .execute();
  const key = { name: `For ${now.name}`, expires_on: "2027-11-21", scope: "write", areas: ["docs"] };
  const { json: createdRecord } = await call("createOwnKey", { token: own, body: key });
  expect((await issue(createdRecord.key, { email: now.email, number: "BY KEY" })).status).toBe(201);
  await call("login", { body: { email: now.email, password: "wrong" }, browser });
  const { json: document } = await issue(own, { email: now.email });
  await call("getSealedPdf", { token: own, params: { id: document.id } });
  const what = { document_type: "Contract", document_subtype: "Lease", expire_type: "never" };
  const rest = { access_type: "QR access", users_access_group: "Branch staff", email: now.email };
  const bulk = { token: own, params: { id: 0 } };
  bulk.params.id = (await call("createBulkIssue", { ...bulk, body: { ...what, ...rest } })).json.id;
  const table = new FormData();
  table.append("table", new File([`name,file\n${now.name},a.pdf`], "table.csv"));
  expect((await call("setBulkTable", { ...bulk, body: table })).status).toBe(200);
  await call("mapBulkColumns", { ...bulk, body: { mapping: ["name", "file"] } });
  const place = { name: "Preston", country: "United Kingdom", city: "Preston", manager_id: id };
  expect((await call("updateBranch", { token, params: preston, body: place })).status).toBe(200);
  await call("updateBranch", { token, params: preston, body: { ...place, manager_id: "" } });
  const at = { day: "2026-11-21", date: "2026-11-21T09:00:00.000Z", latitude: null, longitude: null, accuracy: null };
  const alert = {
    company_id: companyId,
    document_id: document.id,
    number: 1,
    alert: "Complaint",
    rule: "r",
    ...at,
  } as const;
  const { id: alertId } = await db
    .insertInto("alerts")
    .values({ ...alert, status: 2, reason: `${now.name} was named.`, count: 1, note: "", version: 1 })
    .returning("id")
    .executeTakeFirstOrThrow();
  await call("completeAlert", {
    token: own,
    params: { id: alertId },
    body: { note: `Ask ${person.name}, ${now.email}` },
  });
  await call("reopenAlert", { token: own, params: { id: alertId }, body: { reason: `${now.name} called` } });
  const reopening = { act: "complete", ids: String(alertId), note: `Told ${now.name}` };
  await call("startAlertActions", { token, body: reopening });
  await call("startAlertActions", { token, body: { ...reopening, act: "reopen" } });
  await call("startAlertActions", { token: own, body: reopening });
  await call("startUserActions", { token, body: { act: "reactivate", ids: String(id) } });
  const ofAlert = { params: { id: alertId } };
  await call("assignAlert", { ...ofAlert, token, body: { owner: now.email } });
  const text = `@${now.name} wrote from ${person.email}`;
  expect((await call("addComment", { ...ofAlert, token, body: { text } })).status).toBe(201);
  await call("addComment", { ...ofAlert, token: own, body: { text: `${person.name} was there` } });
  const list = { entity: "list", id: 0, name: "users" } as const;
  const changes = [{ field: "name", before: null, after: now.name }];
  const exported = { company_id: companyId, actor: { id: admin.id, name: "Ada Admin" }, action: "exported" } as const;
  services.access.record({ ...exported, subject: list, changes, userId: admin.id });
  await services.access.flush();
  const message = { recipient: "ada@company.example", subject: `About ${now.name}`, text: now.email, message_id: "m" };
  const times = { created_at: clock.now.toISOString(), next_at: "2027-01-01T00:00:00.000Z", attempts: 1 };
  await db
    .insertInto("outbox")
    .values({ ...message, ...times, user_id: admin.id })
    .execute();
  await db
    .insertInto("outbox")
    .values({ ...message, ...times, user_id: id, recipient: now.email })
    .execute();
  const file = { kind: "branches", file: `${now.name}.csv`, columns: "[]", needs_proof: 0 } as const;
  const storedRow = { ...file, company_id: companyId, created_at: times.created_at, expires_at: times.next_at };
  const imports = [
    { ...storedRow, user_id: id, status: "running" as const },
    { ...storedRow, user_id: admin.id, status: "done" as const },
  ];
  for (const values of imports) {
    const { id: import_id } = await db.insertInto("imports").values(values).returning("id").executeTakeFirstOrThrow();
    const row = {
      line: 2,
      name: now.name,
      state: "refused",
      why: "",
      changes: "[]",
      cells: `["${now.email}"]`,
    } as const;
    await db
      .insertInto("import_rows")
      .values({ ...row, import_id })
      .execute();
  }
  await call("createReleaseRule", { token, body: { document_type: "Permit", releasers: 1 } });
  const permit = { document_type: "Permit", document_subtype: "Vehicle", email: now.email };
  const drafted = { ...permit, "custom_fields[0][name]": "Holder", "custom_fields[0][value]": now.name };
  for (const drafter of [own, token]) expect((await issue(drafter, drafted)).json).toHaveProperty("awaiting_release");
  await db
    .updateTable("releases")
    .where("drafter_id", "=", admin.id)
    .set({ state: "returned", reason: `Ask ${now.name}` })
    .execute();
  const recipient = { company_id: companyId, document_id: document.id, name: now.name, email: now.email } as const;
  await db
    .insertInto("recipients")
    .values({ ...recipient, email_key: now.email, language: "en", created_at: times.created_at })
    .execute();
  await db.insertInto("reset_requests").values({ email_key: now.email, at: times.created_at }).execute();
  await issueToken(db, "reset", id, clock.now);
  await services.files.put(`drafts/of-${id}/page`, Readable.from(["page"]));
  const { image_key } = await db.selectFrom("users").where("id", "=", id).select("image_key").executeTakeFirstOrThrow();
  return { ...provider, admin, id, document, image: image_key! };
}

suite("POST /users/{id}/erase", () => {
  test("leaves no personal data in any table or file", async () => {
    const provider = await withPerson();
    const { call, admin, id, image, services } = provider;
    const { token } = admin;
    expect((await traces(provider)).length).toBeGreaterThan(20);
    expect((await call("removeUser", { token, params: { id } })).status).toBe(204);
    expect((await call("eraseUser", { token, params: { id } })).status).toBe(204);
    expect(await traces(provider)).toEqual([]);
    expect(await services.files.exists(image)).toBe(false);
    expect(await services.files.exists(`drafts/of-${id}/page`)).toBe(false);
  });

  test("covers every table with rows of a user", async () => {
    const { db } = await testProvider();
    const tables = await db.introspection.getTables();
    const ofUsers = tables.filter(({ columns }) => columns.some(({ name }) => name === "user_id"));
    expect(
      ofUsers.map(({ name }) => name).toSorted(),
      "erase the new table's rows in users/erase.ts, give it rows in withPerson, and name it here",
    ).toEqual([
      "alert_mentions",
      "api_keys",
      "bulk_actions",
      "bulk_issues",
      "bulk_mappings",
      "calendar_feeds",
      "default_views",
      "email_changes",
      "identities",
      "imports",
      "known_browsers",
      "outbox",
      "passkeys",
      "recovery_codes",
      "saved_views",
      "second_factors",
      "tokens",
    ]);
  });

  test("keeps documents and audit entries of a nameless user", async () => {
    const { call, admin, id, document } = await withPerson();
    const { token } = admin;
    const name = `Removed user ${id}`;
    await call("removeUser", { token, params: { id } });
    await call("eraseUser", { token, params: { id } });
    expect((await call("getDocument", { token, params: { id: document.id } })).json.user).toBe(name);
    expect((await call("getUser", { token, params: { id } })).json).toMatchObject({
      name,
      active: false,
      erased: true,
    });
    const { json: history } = await call("documentHistory", { token, params: { id: document.id } });
    expect(history.at(-1)).toMatchObject({ actor: name, action: "issued" });
    const { json: own } = await call("userHistory", { token, params: { id }, query: { per_page: 100 } });
    expect(own[0]).toMatchObject({ actor: "Ada Admin", action: "erased", entity_name: name });
    const added = own.find(({ action }: { action: string }) => action === "added");
    expect(added.changes).toContainEqual({ field: "email", before: null, after: "(erased)" });
    expect(added.changes).toContainEqual({ field: "staff", before: null, after: "Administrator" });
  });

  test("is for removed users, once, and for administrators only", async () => {
    const { call, company, user, group } = await testProvider();
    const { id: companyId, admin } = await company();
    const { id } = await user(companyId, { name: "Vera" });
    await group(companyId, "Keepers", { users: "C:R/W/C" });
    const keeper = await user(companyId, { group: "Keepers" });
    const erase = (token: string) => call("eraseUser", { token, params: { id } });
    const early = await erase(admin.token);
    expect([early.status, early.json.message]).toEqual([409, "Vera can still sign in: remove the user first"]);
    await call("removeUser", { token: admin.token, params: { id } });
    expect((await erase(keeper.token)).status).toBe(403);
    expect((await erase((await company()).admin.token)).status).toBe(404);
    expect((await erase(admin.token)).status).toBe(204);
    expect((await erase(admin.token)).status).toBe(409);
  });

  test("can't be undone by reactivating the user", async () => {
    const { call, company, user } = await testProvider();
    const { id: companyId, admin } = await company();
    const { id } = await user(companyId);
    const { token } = admin;
    await call("removeUser", { token, params: { id } });
    await call("eraseUser", { token, params: { id } });
    const body = { name: "New", email: "new@company.example", staff: "Accountant", active: true };
    expect((await call("updateUser", { token, params: { id }, body })).status).toBe(409);
  });

  test("another user of the same name keeps the name", async () => {
    const { call, company, user } = await testProvider();
    const { id: companyId, admin } = await company();
    const { token } = admin;
    const both = { name: "Jan Smith", staff: "Accountant" };
    await call("createUser", { token, body: { ...both, email: "jan@one.example" } });
    const { id } = await user(companyId, { name: "Jan Smith" });
    await call("removeUser", { token, params: { id } });
    await call("eraseUser", { token, params: { id } });
    const { json } = await call("listAudit", { token, query: { action: "added", entity: "Jan", per_page: 10 } });
    expect(json).toHaveLength(1);
    expect(json[0].changes).toContainEqual({ field: "name", before: null, after: "Jan Smith" });
  });

  test("names of other records stay, though the person had them", async () => {
    const { call, company, branch, user, issue } = await testProvider();
    const { id: companyId, admin } = await company();
    const { token } = admin;
    const { id: branchId } = await branch(companyId, "Preston");
    const { json: document } = await issue(token, { name: "Fire certificate" });
    const vandal = await user(companyId, { name: "Vic Vandal" });
    for (const name of ["Preston", "Fire certificate", document.number, "Ada Admin"]) {
      const body = { name, email: vandal.email };
      expect((await call("updateProfile", { token: vandal.token, body })).status).toBe(200);
    }
    const place = { name: "Preston", country: "United Kingdom", city: "Preston", manager_id: admin.id };
    await call("updateBranch", { token, params: { id: branchId }, body: place });
    await call("removeUser", { token, params: { id: vandal.id } });
    expect((await call("eraseUser", { token, params: { id: vandal.id } })).status).toBe(204);
    const { json } = await call("branchHistory", { token, params: { id: branchId }, query: { per_page: 10 } });
    expect(json[0].changes).toContainEqual({ field: "manager", before: null, after: "Ada Admin" });
    expect(JSON.stringify(json)).not.toContain("Removed user");
    const history = await call("documentHistory", { token, params: { id: document.id } });
    expect(JSON.stringify(history.json)).toContain("Fire certificate");
  });
});

test("a name is matched as a whole word, ignoring case, with any characters", () => {
  const words = createWordMatcher(["Al", "al@one.example", "A. (Al) B+"], "X");
  expect(words.replaced("Also AL, or al@one.example; A. (AL) B+ too")).toBe("Also X, or X; X too");
  expect([words.isIn("Altogether"), words.isIn("so al")]).toEqual([false, true]);
});
