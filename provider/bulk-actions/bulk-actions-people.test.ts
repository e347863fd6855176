import { describe, expect, test } from "vitest";
import { hasDatabase, type TestProvider, testProvider } from "#tests/fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());

async function raise({ db }: TestProvider, companyId: number, documentId: number, count: number) {
  const one = (number: number) => ({
    company_id: companyId,
    document_id: documentId,
    number,
    rule: `rule ${number}`,
    day: "2026-11-20",
    alert: "Fake scan" as const,
    status: 1,
    date: "2026-11-20T09:14:00.000Z",
    latitude: null,
    longitude: null,
    accuracy: null,
    reason: "",
    count: 1,
    note: "",
    version: 1,
  });
  const rows = Array.from({ length: count }, (_, n) => one(n + 1));
  return (await db.insertInto("alerts").values(rows).returning("id").execute()).map(({ id }) => id);
}

async function withAlerts() {
  const provider = await testProvider();
  const { id, admin } = await provider.company();
  const document = (await provider.issue(admin.token)).json.id as number;
  const ids = await raise(provider, id, document, 3);
  return { ...provider, companyId: id, token: admin.token, ids };
}

suite("POST /alerts/bulk-actions", () => {
  test("completes all that match with a note, and undoing reopens them", async () => {
    const { call, token } = await withAlerts();
    const order = { act: "complete", all: true, filters: "state=open" };
    const unnoted = await call("startAlertActions", { token, body: order });
    expect(Object.keys(unnoted.json.errors)).toEqual(["note"]);
    const { json } = await call("startAlertActions", { token, body: { ...order, note: "Our own test" } });
    expect(json).toMatchObject({ done: 3, note: "Our own test" });
    const open = async () => (await call("listAlerts", { token, query: { state: "open" } })).json.length;
    expect(await open()).toBe(0);
    expect((await call("undoBulkAction", { token, params: { id: json.id } })).json).toMatchObject({ done: 3 });
    expect(await open()).toBe(3);
  });

  test("undoing a reopening completes with the earlier note", async () => {
    const { call, token, ids } = await withAlerts();
    const params = { id: ids[0]! };
    await call("completeAlert", { token, params, body: { note: "The first note" } });
    const { json } = await call("startAlertActions", {
      token,
      body: { act: "reopen", ids: ids.join(","), note: "Again" },
    });
    expect(json).toMatchObject({ done: 1, skipped: 2 });
    await call("undoBulkAction", { token, params: { id: json.id } });
    expect((await call("getAlert", { token, params })).json).toMatchObject({ status: 3, note: "The first note" });
  });
});

suite("POST /alerts/bulk-actions with an owner or an outcome", () => {
  const owners = async ({ call, token }: Pick<Awaited<ReturnType<typeof withAlerts>>, "call" | "token">) =>
    (await call("listAlerts", { token, query: { sort: "date" } })).json.map(({ owner }: { owner: string }) => owner);

  test("assigns open alerts, and undoing gives each its earlier owner", async () => {
    const { call, token, ids, companyId, user } = await withAlerts();
    const bea = await user(companyId, { group: "Administrator", name: "Bea Lowe" });
    await call("assignAlert", { token, params: { id: ids[0]! }, body: { owner: "me" } });
    await call("completeAlert", { token, params: { id: ids[2]! }, body: { note: "Done" } });
    const order = { act: "assign", ids: ids.join(",") };
    expect((await call("startAlertActions", { token, body: order })).json.errors).toEqual({
      owner: ["Choose the owner, or nobody"],
    });
    const unknown = await call("startAlertActions", { token, body: { ...order, owner: "nobody@else.example" } });
    expect([unknown.status, Object.keys(unknown.json.errors)]).toEqual([422, ["owner"]]);
    const { json } = await call("startAlertActions", { token, body: { ...order, owner: bea.email } });
    expect(json).toMatchObject({ done: 2, refused: 1, owner: "Bea Lowe", may_undo: true });
    expect((await owners({ call, token })).filter(Boolean)).toEqual(["Bea Lowe", "Bea Lowe"]);
    const again = await call("startAlertActions", { token, body: { ...order, owner: String(bea.id) } });
    expect(again.json).toMatchObject({ done: 0, skipped: 2 });
    await call("undoBulkAction", { token, params: { id: json.id } });
    expect((await owners({ call, token })).filter(Boolean)).toEqual(["Ada Admin"]);
    const none = await call("startAlertActions", { token, body: { ...order, owner: "nobody" } });
    expect(none.json).toMatchObject({ done: 1, skipped: 1, owner: "nobody" });
    const own = await call("startAlertActions", { token, body: { ...order, owner: "me" } });
    expect(own.json).toMatchObject({ done: 2, owner: "Ada Admin" });
  });

  test("refuses the alerts that the owner may not read, and never finds another company's users", async () => {
    const { call, token, ids, companyId, company, user, group } = await withAlerts();
    await group(companyId, "Scribes", { docs: "C:R" });
    const scribe = await user(companyId, { group: "Scribes" });
    const order = { act: "assign", ids: ids.join(",") };
    const { json } = await call("startAlertActions", { token, body: { ...order, owner: scribe.email } });
    expect(json).toMatchObject({ done: 0, refused: 3 });
    const { admin: stranger } = await company();
    for (const owner of [stranger.email, String(stranger.id)]) {
      expect((await call("startAlertActions", { token, body: { ...order, owner } })).status).toBe(422);
    }
  });

  test("completes with an outcome, which undoing a reopening restores", async () => {
    const { call, token, ids } = await withAlerts();
    const body = { act: "complete", ids: ids.join(","), note: "Our own test", outcome: "false alarm" };
    expect((await call("startAlertActions", { token, body })).json).toMatchObject({ done: 3, outcome: "false alarm" });
    const state = async () => (await call("getAlert", { token, params: { id: ids[0]! } })).json.case_state as string;
    expect(await state()).toBe("false alarm");
    const reopened = await call("startAlertActions", {
      token,
      body: { act: "reopen", ids: ids.join(","), note: "No" },
    });
    expect(await state()).toBe("new");
    await call("undoBulkAction", { token, params: { id: reopened.json.id } });
    expect(await state()).toBe("false alarm");
  });
});

suite("GET /alerts/bulk-actions/check", () => {
  test("says which are completed already", async () => {
    const { call, token, ids } = await withAlerts();
    await call("completeAlert", { token, params: { id: ids[0]! }, body: { note: "Done" } });
    const { json } = await call("checkAlertActions", { token, query: { act: "complete", ids: ids.join(",") } });
    expect(json).toEqual({ total: 3, ready: 2, reasons: [{ state: "skipped", reason: expect.any(String), count: 1 }] });
  });
});

async function withUsers() {
  const provider = await testProvider();
  const { id: companyId, admin } = await provider.company();
  await provider.group(companyId, "Clerks", { docs: "C:R" });
  await provider.group(companyId, "Lawyers", { docs: "C:R" });
  const ids: number[] = [];
  for (const name of ["Ann", "Ben"]) ids.push((await provider.user(companyId, { name, group: "Clerks" })).id);
  return { ...provider, companyId, admin, token: admin.token, ids };
}

suite("POST /users/bulk-actions", () => {
  test("deactivates others but not oneself, and undoing brings them back", async () => {
    const { call, token, admin, ids } = await withUsers();
    const body = { act: "deactivate", ids: [...ids, admin.id].join(",") };
    const { json } = await call("startUserActions", { token, body });
    expect(json).toMatchObject({ done: 2, refused: 1 });
    expect(json.reasons[0].reason).toContain("You can’t remove yourself");
    const active = async () => (await call("listUsers", { token })).json.length;
    expect(await active()).toBe(1);
    expect((await call("undoBulkAction", { token, params: { id: json.id } })).json).toMatchObject({ done: 2 });
    expect(await active()).toBe(3);
  });

  test("leaves one’s own account out, as the check says, so that the rest can still be done", async () => {
    const { call, token, admin, ids } = await withUsers();
    const selected = [admin.id, ...ids].join(",");
    for (const act of ["deactivate", "group"]) {
      const { json } = await call("checkUserActions", { token, query: { act, ids: selected } });
      expect(json).toMatchObject({ total: 3, ready: 2 });
    }
    const { json } = await call("startUserActions", { token, body: { act: "group", ids: selected, group: "Lawyers" } });
    expect(json).toMatchObject({ done: 2, refused: 1 });
    expect(json.reasons[0].reason).toContain("This is you");
  });

  test("changes the group, which undoing restores, and refuses more rights than the actor has", async () => {
    const { call, token, ids, companyId, user, group } = await withUsers();
    const groups = async () => (await call("listUsers", { token, query: { email: "" } })).json;
    const { json } = await call("startUserActions", {
      token,
      body: { act: "group", ids: ids.join(","), group: "Lawyers" },
    });
    expect(json).toMatchObject({ done: 2 });
    expect((await groups()).filter(({ staff }: { staff: string }) => staff === "Lawyers")).toHaveLength(2);
    await call("undoBulkAction", { token, params: { id: json.id } });
    expect((await groups()).filter(({ staff }: { staff: string }) => staff === "Clerks")).toHaveLength(2);
    await group(companyId, "Personnel", { users: "C:R/W/C", docs: "C:R" });
    const personnel = await user(companyId, { group: "Personnel" });
    const more = { act: "group", ids: String(ids[0]), group: "Administrator" };
    expect((await call("startUserActions", { token: personnel.token, body: more })).json).toMatchObject({ refused: 1 });
  });
});

suite("GET /users/bulk-actions/check", () => {
  test("counts removed users of the list of those", async () => {
    const { call, token, ids } = await withUsers();
    await call("removeUser", { token, params: { id: ids[0]! } });
    const query = { act: "reactivate", all: "1", filters: "active=0" };
    expect((await call("checkUserActions", { token, query })).json).toEqual({ total: 1, ready: 1, reasons: [] });
  });
});
