import { describe, expect, test } from "vitest";
import { everyone } from "../../contract/document-options.ts";
import { alertOf } from "#tests/fixtures/alerts.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());

/** A company with a document for everyone, an alert about it, and two users who may change alerts. */
async function withCase() {
  const provider = await testProvider();
  const { id: companyId, admin } = await provider.company();
  const { json: document } = await provider.issue(admin.token, { users_access_group: everyone });
  const id = await alertOf(provider, { companyId, documentId: document.id });
  await provider.group(companyId, "Desk", { alerts: "C:R/W" });
  const anna = await provider.user(companyId, { name: "Anna Desk", group: "Desk" });
  const params = { id };
  return { ...provider, provider, companyId, admin, anna, document, id, params };
}

suite("POST /alerts/{id}/assign", () => {
  test("takes an alert for oneself without a mail, and gives it back", async () => {
    const { call, anna, params, mails } = await withCase();
    const { json } = await call("assignAlert", { token: anna.token, params, body: { owner: "me" } });
    expect(json).toMatchObject({
      owner: "Anna Desk",
      owner_id: anna.id,
      case_state: "in work",
      status: 1,
      first_seen_by: "Anna Desk",
    });
    const { json: back } = await call("assignAlert", { token: anna.token, params, body: { owner: "" } });
    expect(back).toMatchObject({ owner: "", owner_id: null, case_state: "new" });
    expect(mails).toEqual([]);
  });

  test("mails the colleague whom an alert is assigned to, once", async () => {
    const { call, admin, anna, params, mails, run } = await withCase();
    const input = { token: admin.token, params, body: { owner: anna.email.toUpperCase() } };
    expect((await call("assignAlert", input)).json.owner).toBe("Anna Desk");
    await call("assignAlert", input);
    await run("mail");
    expect(mails.map(({ to }) => to)).toEqual([anna.email]);
    expect(mails[0]!.subject).toBe("AL-000001 was assigned to you");
    expect(mails[0]!.text).toContain(`“Ada Admin” assigned an alert to you`);
    expect(mails[0]!.text).toContain(`https://sealdesk.example/alerts/${params.id}\n`);
  });

  test("refuses users who may not read the alert in the same words as strangers", async () => {
    const { call, company, user, group, companyId, admin, params } = await withCase();
    await group(companyId, "Papers", { docs: "C:R/W/C" });
    const clerk = await user(companyId, { name: "Carl Clerk", group: "Papers" });
    const removed = await user(companyId, { name: "Rob Removed", group: "Desk" });
    await call("removeUser", { token: admin.token, params: { id: removed.id } });
    const foreign = (await company()).admin;
    const refusals = [];
    for (const owner of [
      clerk.email,
      String(clerk.id),
      removed.email,
      foreign.email,
      String(foreign.id),
      "no@one.example",
    ])
      refusals.push((await call("assignAlert", { token: admin.token, params, body: { owner } })).json);
    expect(refusals[0].errors.owner).toEqual(["Nobody with this email address may see this alert: choose a colleague"]);
    for (const refusal of refusals) expect(refusal).toEqual(refusals[0]);
  });

  test("needs an open alert and the right to write alerts", async () => {
    const { call, group, user, companyId, admin, params } = await withCase();
    await group(companyId, "Readers", { alerts: "C:R" });
    const reader = await user(companyId, { group: "Readers" });
    expect((await call("assignAlert", { token: reader.token, params, body: { owner: "me" } })).status).toBe(403);
    await call("completeAlert", { token: admin.token, params, body: { note: "Done" } });
    expect((await call("assignAlert", { token: admin.token, params, body: { owner: "me" } })).status).toBe(409);
  });

  test("bounds the mails to one user in an hour", async () => {
    const { call, admin, anna, companyId, document, provider, mails, run } = await withCase();
    for (let n = 0; n < 25; n++) {
      const id = await alertOf(provider, { companyId, documentId: document.id, rule: `r${n}` });
      const input = { token: admin.token, params: { id }, body: { owner: anna.email } };
      expect((await call("assignAlert", input)).status).toBe(200);
    }
    await run("mail");
    expect(mails).toHaveLength(20);
  });
});

suite("An alert's state", () => {
  test("is the outcome when completed, and in work or new when reopened, by its owner", async () => {
    const { call, admin, params, clock } = await withCase();
    const { token } = admin;
    const complete = (body: object) => call("completeAlert", { token, params, body });
    const reopen = () => call("reopenAlert", { token, params, body: { reason: "Again" } });
    const wrong = await complete({ note: "Checked", outcome: "maybe" });
    expect([wrong.status, Object.keys(wrong.json.errors)]).toEqual([422, ["outcome"]]);
    const at = clock.now.toISOString();
    const completedCase = { status: 3, case_state: "false alarm", completed_at: at, first_seen_at: at };
    expect((await complete({ note: "Checked", outcome: "false alarm" })).json).toMatchObject(completedCase);
    expect((await reopen()).json).toMatchObject({ status: 1, case_state: "new", completed_at: null });
    await call("assignAlert", { token, params, body: { owner: "me" } });
    expect((await complete({ note: "Checked" })).json).toMatchObject({ case_state: "done", owner: "Ada Admin" });
    expect((await reopen()).json.case_state).toBe("in work");
  });

  test("filters the list, as owners do", async () => {
    const { call, admin, anna, params, companyId, document, provider } = await withCase();
    const { token } = admin;
    const other = await alertOf(provider, { companyId, documentId: document.id, rule: "other" });
    const findAlertIds = async (query: Record<string, string>) =>
      (await call("listAlerts", { token, query })).json.map((row: { id: number }) => row.id);
    await call("assignAlert", { token, params, body: { owner: anna.email } });
    expect(await findAlertIds({ owner: "anna" })).toEqual([params.id]);
    expect(await findAlertIds({ owner: "me" })).toEqual([]);
    expect(await findAlertIds({ owner: "Nobody" })).toEqual([other]);
    expect(await findAlertIds({ state: "In work" })).toEqual([params.id]);
    expect(await findAlertIds({ state: "new" })).toEqual([other]);
    await call("removeUser", { token, params: { id: anna.id } });
    expect((await findAlertIds({ owner: "nobody" })).toSorted()).toEqual([params.id, other].toSorted());
    expect((await call("getAlert", { token, params })).json).toMatchObject({ owner: "Anna Desk", owner_active: false });
    await call("eraseUser", { token, params: { id: anna.id } });
    expect((await call("getAlert", { token, params })).json.owner).toBe(`Removed user ${anna.id}`);
  });
});

suite("POST /alerts/{id}/seen", () => {
  test("notes the first look of a user who may change it, and is in the history once", async () => {
    const { call, admin, anna, params, clock } = await withCase();
    const first = clock.now.toISOString();
    const { json } = await call("seeAlert", { token: anna.token, params });
    expect(json).toMatchObject({ first_seen_at: first, first_seen_by: "Anna Desk", case_state: "new" });
    clock.now = new Date(clock.now.getTime() + 60_000);
    expect((await call("seeAlert", { token: admin.token, params })).json.first_seen_at).toBe(first);
    const { json: history } = await call("alertHistory", { token: admin.token, params });
    expect(history.map(({ action, actor }: Record<string, string>) => [action, actor])).toEqual([
      ["first seen", "Anna Desk"],
    ]);
  });
});

suite("GET /alerts/{id}/colleagues", () => {
  test("lists active users who may read the alert, found by name or address", async () => {
    const { call, user, group, companyId, anna, admin, params } = await withCase();
    await group(companyId, "Papers", { docs: "C:R/W/C" });
    await user(companyId, { name: "Carl Clerk", group: "Papers" });
    const names = async (query: Record<string, string>) =>
      (await call("listColleagues", { token: anna.token, params, query })).json.map(
        (one: { name: string }) => one.name,
      );
    expect(await names({})).toEqual(["Ada Admin", "Anna Desk"]);
    expect(await names({ name: "ANNA" })).toEqual(["Anna Desk"]);
    expect(await names({ name: admin.email })).toEqual(["Ada Admin"]);
  });
});
