import { describe, expect, test } from "vitest";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import type { Services } from "../services.ts";

const suite = describe.runIf(hasDatabase());

/** A company with three documents of its administrator. */
async function withDocuments(change: Partial<Services> = {}) {
  const provider = await testProvider(change);
  const { call, company, issue } = provider;
  const { id: companyId, admin } = await company();
  const ids: number[] = [];
  for (const name of ["Lease one", "Lease two", "Deed"]) ids.push((await issue(admin.token, { name })).json.id);
  const send = (body: object, token = admin.token) => call("startDocumentActions", { token, body });
  const rows = async (id: number) =>
    (await call("listBulkActionRows", { token: admin.token, params: { id }, query: { per_page: 100 } })).json as {
      label: string;
      state: string;
      reason: string;
    }[];
  const statuses = async () =>
    Object.fromEntries(
      (await call("listDocuments", { token: admin.token, query: { sort: "name" } })).json.map(
        ({ name, status }: { name: string; status: string }) => [name, status],
      ),
    );
  const undo = (id: number) => call("undoBulkAction", { token: admin.token, params: { id } });
  return { ...provider, companyId, admin, ids, send, rows, statuses, undo };
}

suite("POST /documents/bulk-actions", () => {
  test("does it to the selected documents, each with its audit entry, and says which were so already", async () => {
    const { call, admin, ids, send, statuses, rows } = await withDocuments();
    await call("archiveDocument", { token: admin.token, params: { id: ids[0]! } });
    const { json, status } = await send({ act: "archive", ids: `${ids[0]},${ids[2]}`, expected: 2 });
    expect(status).toBe(201);
    expect(json).toMatchObject({ total: 2, done: 1, skipped: 1, refused: 0, waiting: 0, may_undo: true });
    expect(json.reasons).toEqual([{ state: "skipped", reason: "It was in the archive already", count: 1 }]);
    expect(await statuses()).toEqual({ "Lease one": "archived", "Lease two": "active", Deed: "archived" });
    expect((await rows(json.id)).map(({ state }) => state)).toEqual(["skipped", "done"]);
    const history = await call("documentHistory", { token: admin.token, params: { id: ids[2]! } });
    expect(history.json.map(({ action }: { action: string }) => action)).toEqual(["archived", "issued"]);
  });

  test("takes all records that match the list's filters when it begins, and asks again if their number changed", async () => {
    const { issue, admin, send, statuses } = await withDocuments();
    const order = { act: "exit", all: true, filters: "name=lease&status=active,exited&per_page=5", expected: 2 };
    await issue(admin.token, { name: "Lease three" });
    const refused = await send(order);
    expect(refused.status).toBe(409);
    expect(refused.json.message).toContain("3 documents are selected now instead of 2");
    expect(Object.values(await statuses())).toEqual(["active", "active", "active", "active"]);
    expect((await send({ ...order, expected: 3 })).json).toMatchObject({ total: 3, done: 3 });
    expect(await statuses()).toMatchObject({ "Lease three": "exited", Deed: "active" });
  });

  test("withdraws with a reason and a note, which each document keeps", async () => {
    const { call, admin, ids, send, undo } = await withDocuments();
    const { token } = admin;
    const reason = (await call("listWithdrawalReasons", { token })).json[0] as { id: number; name: string };
    const order = { act: "exit", ids: ids.join(","), note: "Audit of spring" };
    const unknown = await send({ ...order, reason: 999999 });
    expect([unknown.status, Object.keys(unknown.json.errors)]).toEqual([422, ["reason"]]);
    const { json } = await send({ ...order, reason: reason.id });
    expect(json).toMatchObject({ done: 3, reason: reason.name, note: "Audit of spring" });
    const document = async () => (await call("getDocument", { token, params: { id: ids[0]! } })).json;
    expect(await document()).toMatchObject({ withdrawal_reason: reason.name, withdrawal_note: "Audit of spring" });
    await undo(json.id);
    expect(await document()).toMatchObject({ status: "active", withdrawal_reason: "" });
  });

  test("refuses more than the most, and none, in words", async () => {
    const { send, ids } = await withDocuments({ maxBulkRows: 2 });
    const all = await send({ act: "archive", all: true });
    expect(all.status).toBe(422);
    expect(all.json.errors).toEqual({ filters: ["More than 2 documents are selected: narrow the filters"] });
    expect((await send({ act: "archive", ids: ids.join(",") })).status).toBe(422);
    expect((await send({ act: "archive", ids: "" })).json.errors).toEqual({ ids: ["Select the documents first"] });
    expect((await send({ act: "archive", all: true, filters: "name=none of these" })).status).toBe(422);
    expect((await send({ act: "archive", all: true, filters: "validity=no such" })).status).toBe(422);
    expect((await send({ act: "shorten", ids: String(ids[0]) })).status).toBe(422);
    expect((await send({ act: "archive", ids: "1;drop" })).status).toBe(422);
    expect((await send({ act: "archive", all: true, filters: "name=deed" })).json).toMatchObject({ done: 1 });
  });

  test("reaches no other company's documents, and does not name them", async () => {
    const { company, send, ids, rows, admin, call, statuses } = await withDocuments();
    const other = await company();
    const { json } = await send({ act: "archive", ids: String(ids[0]) }, other.admin.token);
    expect(json).toMatchObject({ total: 1, done: 0, refused: 1 });
    const params = { id: json.id };
    const foreignReply = await call("listBulkActionRows", { token: other.admin.token, params });
    const missing = await send({ act: "archive", ids: "999999" });
    expect(foreignReply.json).toMatchObject([
      { label: `No. ${ids[0]}`, reason: (await rows(missing.json.id))[0]!.reason },
    ]);
    expect(await statuses()).toMatchObject({ "Lease one": "active" });
    for (const name of ["getBulkAction", "listBulkActionRows", "undoBulkAction"] as const) {
      expect((await call(name, { token: admin.token, params })).status).toBe(404);
    }
  });

  test("refuses the rest when the user loses the right meanwhile", async () => {
    const { call, group, user, companyId, send, ids, run, db, statuses } = await withDocuments({ bulkInRequestMs: -1 });
    await group(companyId, "Clerks", { docs: "C:R/W/C" });
    const reader = await group(companyId, "Readers", { docs: "C:R" });
    const clerk = await user(companyId, { group: "Clerks" });
    const { json } = await send({ act: "archive", ids: ids.join(",") }, clerk.token);
    expect(json).toMatchObject({ waiting: 3, finished_at: null, may_undo: false });
    await db.updateTable("users").set({ access_group_id: reader.id }).where("id", "=", clerk.id).execute();
    await run("bulk actions");
    const after = await call("getBulkAction", { token: clerk.token, params: { id: json.id } });
    expect(after.json).toMatchObject({ waiting: 0, done: 0, refused: 3 });
    expect(after.json.reasons).toMatchObject([{ reason: "Your access group does not allow this", count: 3 }]);
    expect(new Set(Object.values(await statuses()))).toEqual(new Set(["active"]));
  });

  test("refuses filters that the list lacks or that are given twice, which would select more than is meant", async () => {
    const { send, statuses } = await withDocuments();
    const refusal = async (filters: string) =>
      (await send({ act: "archive", all: true, filters })).json.errors?.filters;
    expect(await refusal("nmae=lease")).toEqual(["This list has no filter “nmae”"]);
    expect(await refusal("owner=me")).toEqual(["This list has no filter “owner”"]);
    expect(await refusal("name=lease&name=")).toEqual(["Give the filter “name” once"]);
    expect(Object.values(await statuses())).toEqual(["active", "active", "active"]);
  });

  test("goes on after its process was killed, with no document twice", async () => {
    const { call, run, db, admin, issue, send } = await withDocuments({ bulkInRequestMs: -1 });
    const dated = { expire_type: "date", expire_date: "2027-11-21", date: "2026-11-21", prolongation: "1" };
    const ids: number[] = [];
    for (let n = 0; n < 3; n++) ids.push((await issue(admin.token, dated)).json.id);
    const { json } = await send({ act: "prolong", ids: ids.join(",") });
    const rows = db.updateTable("bulk_action_rows").where("bulk_action_id", "=", json.id);
    // As if the process had ended after the first row.
    await rows.where("record_id", "!=", ids[0]!).set({ state: "refused" }).execute();
    await run("bulk actions");
    await rows.where("record_id", "!=", ids[0]!).set({ state: "waiting" }).execute();
    await db.updateTable("bulk_actions").set({ finished_at: null }).where("id", "=", json.id).execute();
    await Promise.all([run("bulk actions"), run("bulk actions")]);
    for (const id of ids) {
      const document = await call("getDocument", { token: admin.token, params: { id } });
      expect(document.json.expire_date).toBe("2028-11-21");
    }
    expect((await call("getBulkAction", { token: admin.token, params: { id: json.id } })).json).toMatchObject({
      done: 3,
    });
  });

  test("prolongs documents that are not meant to be, if it is to allow that, and undoes both", async () => {
    const { call, admin, issue, send, undo } = await withDocuments();
    const dated = { expire_type: "date", expire_date: "2027-11-21", date: "2026-11-21" };
    const [allowed, other, never] = [
      (await issue(admin.token, { ...dated, prolongation: "1" })).json.id,
      (await issue(admin.token, dated)).json.id,
      (await issue(admin.token)).json.id,
    ];
    const ids = [allowed, other, never].join(",");
    const check = (more: object) =>
      call("checkDocumentActions", { token: admin.token, query: { act: "prolong", ids, ...more } });
    expect([(await check({})).json.ready, (await check({ allow: "1" })).json.ready]).toEqual([1, 2]);
    const { json } = await send({ act: "prolong", ids, allow: true });
    expect(json).toMatchObject({ done: 2, refused: 1, reasons: [{ reason: "This document never expires" }] });
    const read = async (id: number) => {
      const { prolongation, expire_date } = (await call("getDocument", { token: admin.token, params: { id } })).json;
      return [prolongation, expire_date];
    };
    expect(await read(other)).toEqual([true, "2028-11-21"]);
    expect((await undo(json.id)).json.done).toBe(2);
    expect([await read(allowed), await read(other)]).toEqual([
      [true, "2027-11-21"],
      [false, "2027-11-21"],
    ]);
  });

  test("sent again with the same key, it is the same action", async () => {
    const { send, ids } = await withDocuments();
    const order = { act: "archive", ids: String(ids[0]), key: "once" };
    const first = await send(order);
    expect((await send(order)).json.id).toBe(first.json.id);
    expect((await send({ ...order, act: "exit" })).status).toBe(409);
  });

  test("changes the access group and nothing else", async () => {
    const { call, admin, ids, send, group, companyId } = await withDocuments();
    await group(companyId, "Legal", {});
    const params = { id: ids[0]! };
    const before = (await call("getDocument", { token: admin.token, params })).json;
    expect((await send({ act: "group", ids: String(ids[0]) })).json.errors).toEqual({
      group: ["Choose the access group"],
    });
    const { json } = await send({ act: "group", ids: String(ids[0]), group: "Legal" });
    expect(json).toMatchObject({ done: 1, group: "Legal" });
    const after = (await call("getDocument", { token: admin.token, params })).json;
    const { users_access_group, users_access_group_id, version, ...rest } = after;
    expect([users_access_group, version, typeof users_access_group_id]).toEqual([
      "Legal",
      before.version + 1,
      "number",
    ]);
    expect(before).toMatchObject(rest);
    expect((await send({ act: "group", ids: String(ids[0]), group: "No such" })).json).toMatchObject({ refused: 1 });
  });
});

suite("GET /documents/bulk-actions/check", () => {
  test("counts what can be done, and why the rest can't", async () => {
    const { call, admin, ids } = await withDocuments();
    await call("exitDocument", { token: admin.token, params: { id: ids[0]! } });
    await call("archiveDocument", { token: admin.token, params: { id: ids[1]! } });
    const query = { act: "exit", ids: `${ids.join(",")},999999` };
    const { json } = await call("checkDocumentActions", { token: admin.token, query });
    expect(json).toMatchObject({ total: 4, ready: 1 });
    expect(json.reasons.map(({ state }: { state: string }) => state).toSorted()).toEqual([
      "refused",
      "refused",
      "skipped",
    ]);
    const all = await call("checkDocumentActions", {
      token: admin.token,
      query: { act: "exit", all: "1", filters: "" },
    });
    expect(all.json).toMatchObject({ total: 3, ready: 1 });
  });
});

suite("POST /bulk-actions/{id}/undo", () => {
  test("reverses what was done, but not to records that changed since, and once only", async () => {
    const { call, admin, ids, send, statuses, undo, rows } = await withDocuments();
    const { json } = await send({ act: "exit", ids: ids.join(",") });
    await call("archiveDocument", { token: admin.token, params: { id: ids[1]! } });
    const undone = await undo(json.id);
    expect(undone.json).toMatchObject({ undo_of: json.id, done: 2, refused: 1, may_undo: false });
    expect(await rows(undone.json.id)).toMatchObject([
      { label: expect.stringContaining("Lease two"), reason: "It was changed since: left as it is" },
      { state: "done" },
      { state: "done" },
    ]);
    expect(await statuses()).toEqual({ "Lease one": "active", "Lease two": "archived", Deed: "active" });
    expect((await undo(json.id)).status).toBe(409);
    expect((await undo(undone.json.id)).status).toBe(409);
  });

  test("gives reactivated documents back the reason, the text, the note and the replacement they had", async () => {
    const { call, admin, ids, send, undo, issue } = await withDocuments();
    const { token } = admin;
    const [withdrawn, replaced, plain] = ids as [number, number, number];
    const reason = (await call("listWithdrawalReasons", { token })).json[0] as { id: number; name: string };
    await call("exitDocument", {
      token,
      params: { id: withdrawn },
      body: { reason: reason.id, note: "A typing error" },
    });
    const newer = (await issue(token, { name: "Lease two", replaces: String(replaced) })).json.id;
    await call("exitDocument", { token, params: { id: plain }, body: {} });
    const read = async (id: number) => (await call("getDocument", { token, params: { id } })).json;
    const before = await Promise.all(ids.map(read));
    expect(before[0]).toMatchObject({ withdrawal_reason: reason.name, withdrawal_note: "A typing error" });
    const reactivated = await send({ act: "reactivate", ids: ids.join(",") });
    expect(await read(withdrawn)).toMatchObject({ status: "active", withdrawal_reason: "", withdrawal_text: "" });
    expect((await undo(reactivated.json.id)).json).toMatchObject({ act: "exit", done: 3, refused: 0 });
    const after = await Promise.all(ids.map(read));
    const without = (document: object) => ({ ...document, version: 0 });
    expect(after.map(without)).toEqual(before.map(without));
    expect(after[1]).toMatchObject({ status: "exited", replaced_by: { id: newer } });
    const history = await call("documentHistory", { token, params: { id: withdrawn } });
    expect(history.json[0]).toMatchObject({
      action: "exited",
      changes: expect.arrayContaining([{ field: "withdrawal_note", before: null, after: "A typing error" }]),
    });
  });

  test("gives prolonged documents their earlier date, and regrouped ones their earlier group", async () => {
    const { call, admin, issue, send, group, companyId, undo } = await withDocuments();
    await group(companyId, "Legal", {});
    const dated = { expire_type: "date", expire_date: "2027-11-21", date: "2026-11-21", prolongation: "1" };
    const { id } = (await issue(admin.token, dated)).json;
    const read = async () => (await call("getDocument", { token: admin.token, params: { id } })).json;
    const { users_access_group } = await read();
    const prolonged = await send({ act: "prolong", ids: String(id) });
    expect((await read()).expire_date).toBe("2028-11-21");
    expect((await undo(prolonged.json.id)).json).toMatchObject({ done: 1 });
    expect(await read()).toMatchObject({ expire_date: "2027-11-21", prolonged_until: "2028-11-21" });
    const regrouped = await send({ act: "group", ids: String(id), group: "Legal" });
    expect((await undo(regrouped.json.id)).json).toMatchObject({ done: 1 });
    expect((await read()).users_access_group).toBe(users_access_group);
  });
});

suite("GET /bulk-actions/{id}", () => {
  test("is for the user who began it", async () => {
    const { call, send, ids, user, companyId } = await withDocuments();
    const { json } = await send({ act: "archive", ids: String(ids[0]) });
    const { token } = await user(companyId, { group: "Administrator" });
    expect((await call("getBulkAction", { token, params: { id: json.id } })).status).toBe(404);
  });
});

suite("GET /bulk-actions/{id}/rows", () => {
  test("has the refused ones first, in pages and by state", async () => {
    const { call, admin, send, ids } = await withDocuments();
    const { json } = await send({ act: "archive", ids: `${ids.join(",")},999999` });
    const read = (query: object) =>
      call("listBulkActionRows", { token: admin.token, params: { id: json.id }, query: query as never });
    const first = await read({ page: 1, per_page: 2 });
    expect(first.json.map(({ state }: { state: string }) => state)).toEqual(["refused", "done"]);
    expect(first.headers.get("x-total-count")).toBe("4");
    expect((await read({ state: "done", per_page: 10 })).json).toHaveLength(3);
    await call("undoBulkAction", { token: admin.token, params: { id: json.id } });
  });
});
