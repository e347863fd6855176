import { describe, expect, test } from "vitest";
import type { AuditEntity } from "../contract/audit.ts";
import type { CallName } from "../contract/calls.ts";
import { areas } from "../contract/permissions.ts";
import { asFile, pngFile } from "#tests/fixtures/files.ts";
import { draftForm, hasDatabase, testProvider, type TestProvider } from "#tests/fixtures/provider.ts";

/** What histories show of each field that anything notes: no more than the record itself shows the same reader. */

const suite = describe.runIf(hasDatabase());

type Entry = { changes: { field: string; before: unknown; after: unknown }[] };
const fieldsOf = (entries: Entry[]) => [
  ...new Set(entries.flatMap(({ changes }) => changes.map(({ field }) => field))),
];

const contact = {
  email: "all@company.example",
  phone: "0161 496 0000",
  country: "United Kingdom",
  city: "Preston",
  index: "PR1 3NA",
  address: "1 Harbour Street",
};
const png = await pngFile(30, 40);
const withPicture = (fields: object) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  form.append("image", asFile(png, "picture.png"));
  return form;
};

/** A company in which everything that is noted has happened, each field of each record being given. */
async function noted() {
  const provider = await testProvider();
  const { call, company, branch, issue, db } = provider;
  const { id, admin } = await company();
  const { token } = admin;
  const perform = async (name: CallName, input: object) => {
    const { status, json } = await call(name, { token, ...input });
    expect(status, `${name}: ${JSON.stringify(json)}`).toBeLessThan(300);
    return json;
  };
  await branch(id, "Preston");
  const user = { name: "Nora", ...contact, role: "Clerk", branch: "Preston", staff: "Accountant", info: "Nights" };
  const secret = { password: "a password of some length", password_confirmation: "a password of some length" };
  const { id: userId } = await perform("createUser", { body: withPicture({ ...user, ...secret }) });
  const login = await perform("login", { body: { email: user.email, password: secret.password } });
  await perform("updateProfile", { token: login.token, body: withPicture({ name: "Nora", ...contact }) });
  const manager = { manager_id: userId };
  const { id: branchId } = await perform("createBranch", {
    body: withPicture({ name: "Leeds", ...contact, ...manager }),
  });
  await perform("updateCompany", { body: withPicture({ name: "Hallam", ...contact, timezone: "Europe/Dublin" }) });
  await perform("changeTariff", { body: { tariff: 4 } });
  const every = Object.fromEntries(areas.map((area) => [area, "C:R"]));
  const { id: groupId } = await perform("createAccessGroup", { body: { name: "Readers", ...every } });
  const dated = { expire_type: "date", expire_date: "2027-11-21", prolongation: "1" };
  const { json: document } = await issue(token, dated);
  const custom = { custom_fields: [{ name: "Bank", value: "North" }], qr_placing: "top-left:every:small" };
  const fields = Object.fromEntries(draftForm({ email: user.email, users_access_group: "Readers", ...dated }, []));
  const params = { id: document.id };
  await perform("updateDocument", { params, body: { ...fields, ...custom } });
  const at = { day: "2026-11-21", date: "2026-11-21T09:00:00.000Z", latitude: null, longitude: null, accuracy: null };
  const alert = { company_id: id, document_id: document.id, number: 1, alert: "Fake scan", rule: "r", ...at } as const;
  const { id: alertId } = await db
    .insertInto("alerts")
    .values({ ...alert, status: 1, reason: "", count: 1, note: "", version: 1 })
    .returning("id")
    .executeTakeFirstOrThrow();
  await perform("completeAlert", { params: { id: alertId }, body: { note: "Looked at" } });
  const reader = await provider.user(id, { name: "Rita Reader", group: "Readers" });
  const own = { token: login.token as string, userId: userId as number };
  return {
    ...provider,
    id,
    admin,
    reader,
    own,
    records: { userId, branchId, groupId, alertId, document: document.id },
  };
}

let recordsPromise: ReturnType<typeof noted> | undefined;
const theCompany = () => (recordsPromise ??= noted());
type Records = Awaited<ReturnType<typeof noted>>["records"];

/** The calls that show a record and its history. */
const histories: Record<
  Exclude<AuditEntity, "company" | "alert rule" | "template" | "view" | "webhook" | "release" | "recipient">,
  [CallName, CallName, (records: Records) => number]
> = {
  user: ["getUser", "userHistory", ({ userId }) => userId],
  branch: ["getBranch", "branchHistory", ({ branchId }) => branchId],
  "access group": ["getAccessGroup", "accessGroupHistory", ({ groupId }) => groupId],
  document: ["getDocument", "documentHistory", ({ document }) => document],
  alert: ["getAlert", "alertHistory", ({ alertId }) => alertId],
};

/** The name that a record's own reply has for a field. */
function nameInReply(field: string) {
  if (field === "image") return "imageUrl";
  return field.startsWith("custom_fields[") ? "custom_fields" : field;
}

async function kept({ db }: TestProvider, entity: string, id?: number): Promise<Entry[]> {
  const rows = db.selectFrom("audit").where("entity", "=", entity).select("changes");
  const entries = await (id === undefined ? rows : rows.where("entity_id", "=", id)).execute();
  return entries.map(({ changes }) => ({ changes: JSON.parse(changes) as Entry["changes"] }));
}

suite("The history of a record", () => {
  test.each(Object.entries(histories))(
    "of a %s shows those of its fields that the record shows",
    async (entity, of) => {
      const [show, tell, idOf] = of;
      const provider = await theCompany();
      const params = { id: idOf(provider.records) };
      const input = { token: provider.reader.token, params };
      const record = (await provider.call(show, input)).json as object;
      const historyFields = fieldsOf((await provider.call(tell, { ...input, query: { per_page: 100 } })).json);
      const all = fieldsOf(await kept(provider, entity, params.id));
      const isShown = (field: string) => nameInReply(field) in record;
      expect(all.length).toBeGreaterThan(1);
      expect(historyFields.toSorted()).toEqual(all.filter(isShown).toSorted());
    },
  );

  test("of a user shows private fields to that user only", async () => {
    const provider = await theCompany();
    const { call, admin, reader, own } = provider;
    expect(fieldsOf(await kept(provider, "user", own.userId))).toContain("address");
    const params = { id: own.userId };
    for (const { token } of [admin, reader]) {
      const { json } = await call("userHistory", { token, params, query: { per_page: 100 } });
      expect(fieldsOf(json)).not.toContain("address");
      expect(JSON.stringify(json)).not.toContain(contact.address);
    }
    const { json: mine } = await call("userHistory", { token: own.token, params, query: { per_page: 100 } });
    expect(fieldsOf(mine)).toContain("address");
  });

  test("shows no field that is not declared, also in the audit trail", async () => {
    const { call, db, id, admin, records } = await theCompany();
    const changes = JSON.stringify([{ field: "shoe_size", before: 9, after: 10 }]);
    const entities = {
      ...Object.fromEntries(Object.entries(histories).map(([e, of]) => [e, of[2](records)])),
      company: id,
    };
    const entry = { at: "2026-11-21T10:00:00.000Z", actor: "Ada", actor_id: 1, action: "changed", entity_name: "New" };
    for (const [entity, entity_id] of Object.entries(entities)) {
      await db
        .insertInto("audit")
        .values({ ...entry, company_id: id, entity, entity_id, changes })
        .execute();
    }
    for (const [, tell, idOf] of Object.values(histories)) {
      const input = { token: admin.token, params: { id: idOf(records) }, query: { per_page: 100 } };
      const { json } = await call(tell, input);
      expect(json).toContainEqual(expect.objectContaining({ entity_name: "New", changes: [] }));
    }
    const { json: trail } = await call("listAudit", { token: admin.token, query: { per_page: 100 } });
    expect(fieldsOf(trail)).not.toContain("shoe_size");
  });
});

suite("GET /audit", () => {
  test("shows administrators every field but private ones", async () => {
    const provider = await theCompany();
    const { json } = await provider.call("listAudit", { token: provider.admin.token, query: { per_page: 100 } });
    const rows = json as (Entry & { entity: string; entity_id: number })[];
    for (const entity of [...Object.keys(histories), "company"]) {
      const historyFields = fieldsOf(rows.filter((row) => row.entity === entity));
      const all = fieldsOf(await kept(provider, entity)).filter((field) => field !== "shoe_size");
      const hidden = entity === "user" ? ["address"] : [];
      expect(historyFields.toSorted(), entity).toEqual(all.filter((field) => !hidden.includes(field)).toSorted());
    }
  });
});

suite("The history of a document that was restricted to another group", () => {
  test("begins for others when it was opened to them; owner and administrators see all of it", async () => {
    const { call, company, group, user, issue } = await testProvider();
    const { id, admin } = await company();
    await group(id, "Board", { docs: "C:R" });
    const owner = await user(id, { name: "Olga Owner", group: "Accountant" });
    const reader = await user(id, { name: "Rita Reader", group: "Accountant" });
    const member = await user(id, { name: "Bo Board", group: "Board" });
    const named = { email: owner.email, users_access_group: "Board" };
    const { json: document } = await issue(admin.token, named);
    const params = { id: document.id };
    const change = async (fields: object, custom_fields: object[] = []) => {
      const body = { ...Object.fromEntries(draftForm({ ...named, ...fields }, [])), custom_fields };
      expect((await call("updateDocument", { token: admin.token, params, body })).status).toBe(200);
    };
    await change({}, [{ name: "Offer", value: "12 million" }]);
    await change({ users_access_group: "Branch staff" });
    await change({ users_access_group: "Branch staff", name: "Renamed" });
    const historyFields = async ({ token }: { token: string }) => {
      const { json, headers } = await call("documentHistory", { token, params });
      return { text: JSON.stringify(json), count: json.length, total: Number(headers.get("x-total-count")) };
    };
    const readerHistory = await historyFields(reader);
    expect(readerHistory.text).toContain("Renamed");
    expect(readerHistory.text).not.toContain("million");
    expect([readerHistory.count, readerHistory.total]).toEqual([1, 1]);
    for (const other of [admin, owner, member]) expect((await historyFields(other)).count).toBe(4);
  });
});
