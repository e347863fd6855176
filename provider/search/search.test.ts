import { beforeAll, describe, expect, test } from "vitest";
import { companyWithLists, several } from "#tests/fixtures/documents.ts";
import { hasDatabase, type TestProvider, testProvider } from "#tests/fixtures/provider.ts";
import { rebuildDerivedTables } from "../db/derived-tables.ts";

const suite = describe.runIf(hasDatabase());

suite("GET /search", () => {
  let provider: TestProvider;
  beforeAll(async () => {
    provider = await testProvider();
  });

  const find = async (token: string, q: string) => {
    const { status, json } = await provider.call("search", { token, query: { q } });
    expect(status).toBe(200);
    return json;
  };
  const ids = (list: { rows: { id: number }[] }) => list.rows.map(({ id }) => id);

  const withAlert = async (
    companyId: number,
    document_id: number,
    number: number,
    date = "2026-11-21T10:00:00.000Z",
  ) => {
    const place = { latitude: null, longitude: null, accuracy: null };
    const words = {
      rule: `rule ${number}`,
      day: "2026-11-21",
      alert: "Complaint" as const,
      reason: "A copy",
      note: "",
    };
    const { id } = await provider.db
      .insertInto("alerts")
      .values({ ...place, ...words, company_id: companyId, document_id, number, status: 2, count: 1, version: 1, date })
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  };

  test("finds help by its words, and nothing by an empty text", async () => {
    const { admin } = await provider.company();
    expect((await find(admin.token, "PROLONGATION")).help.rows.length).toBeGreaterThan(0);
    const empty = await find(admin.token, "  ");
    expect(empty).toMatchObject({ exact: null, mistyped: false, help: { rows: [], more: false } });
    expect((await provider.call("search", { query: { q: "PROLONGATION" } })).status).toBe(401);
    const long = { token: admin.token, query: { q: "x".repeat(201) } };
    expect((await provider.call("search", long)).status).toBe(422);
  });

  test("names a document by its number, code, or the address of its code", async () => {
    const { token } = (await provider.company()).admin;
    const { json: document } = await provider.issue(token, { name: "Lease of the mill", number: "AB 7  x" });
    const exact = { kind: "document", id: document.id };
    const groups = document.code.match(/.{1,4}/g)!;
    for (const text of [
      document.number.toUpperCase(),
      document.code,
      groups.join("-").toLowerCase(),
      groups.join(" ").replaceAll("0", "o"),
      `https://sealdesk.example/v/${document.code}`,
      `http://other.example/v/${groups.join("-")}?a=1#top`,
      `sealdesk.example/v/${document.code}/12345`,
    ]) {
      const results = await find(token, text);
      expect(results, text).toMatchObject({ exact, mistyped: false });
      expect(ids(results.documents)).toEqual([document.id]);
    }
    expect(await find(token, "of the mill")).toMatchObject({ exact: null, documents: { rows: [{ id: document.id }] } });
    expect((await find(token, "%_\\' or 1=1 --")).documents.rows).toEqual([]);
  });

  test("names a document by the code of a copy", async () => {
    const { token } = (await provider.company()).admin;
    const { json: document } = await provider.issue(token, { copies: 3 });
    const { json: copies } = await provider.call("listCopies", { token, params: { id: document.id } });
    expect((await find(token, copies[2].code)).exact).toEqual({ kind: "document", id: document.id });
  });

  test("says of a code with a wrong character that it is mistyped", async () => {
    const { token } = (await provider.company()).admin;
    const { json: document } = await provider.issue(token);
    const last = document.code.at(-1) === "7" ? "8" : "7";
    const wrong = document.code.slice(0, 16) + last;
    for (const text of [wrong.match(/.{1,4}/g)!.join("-"), `https://sealdesk.example/v/${wrong}`]) {
      expect(await find(token, text), text).toMatchObject({ exact: null, mistyped: true });
    }
    for (const text of ["lease of the mills", "4C7H-29KD", "https://sealdesk.example/v/4C7H"]) {
      expect((await find(token, text)).mistyped, text).toBe(false);
    }
  });

  test("names a user by their email address, and finds users and branches by name", async () => {
    const { id, admin } = await provider.company();
    const { token } = admin;
    const clerk = await provider.user(id, { name: "Zora Quill" });
    const { json: me } = await provider.call("currentUser", { token: clerk.token });
    const byEmail = await find(token, me.email.toUpperCase());
    expect(byEmail.exact).toEqual({ kind: "user", id: clerk.id });
    expect(ids(byEmail.users)).toEqual([clerk.id]);
    expect(ids((await find(token, "ZORA Q")).users)).toEqual([clerk.id]);
    const body = { name: "Quarry wharf", email: "w@a.example", country: "United Kingdom", city: "Preston" };
    const branch = await provider.call("createBranch", { token, body: { ...body, index: "PR1", address: "1 Quay" } });
    expect(ids((await find(token, "quarry")).branches)).toEqual([branch.json.id]);
  });

  test("gives five of each kind, newest first, and says that there are others", async () => {
    const { id, admin, add } = await companyWithLists(provider);
    const documents = await add(several(7, (n) => ({ name: `Crane ${n}`, date: `2026-01-0${n + 1}` })));
    await Promise.all(documents.map((document, n) => withAlert(id, document.id, n + 1, `2026-02-0${n + 1}T10:00:00Z`)));
    const results = await find(admin.token, "crane");
    expect(results.documents.more).toBe(true);
    expect(ids(results.documents)).toEqual([6, 5, 4, 3, 2].map((n) => documents[n]!.id));
    expect(results.alerts.rows.map((alert: { number: string }) => alert.number)).toEqual(
      [7, 6, 5, 4, 3].map((n) => `AL-00000${n}`),
    );
    expect(results.alerts.more).toBe(true);
    expect((await find(admin.token, "crane 3")).documents).toMatchObject({ more: false, rows: [{ name: "Crane 3" }] });
    expect((await find(admin.token, "cr")).documents.more).toBe(true);
  });

  test("searches texts of two letters among the newest documents, and says so", async () => {
    const { admin, add } = await companyWithLists(provider);
    await add([{ name: "Zw old", date: "2020-01-01" }]);
    for (let n = 0; n < 4; n++) await add(several(500, () => ({ name: "Lease" })));
    const results = await find(admin.token, "zw");
    expect(results).toMatchObject({ is_partial: true, documents: { rows: [] } });
    expect(await find(admin.token, "zw old")).toMatchObject({
      is_partial: false,
      documents: { rows: [{ name: "Zw old" }] },
    });
  });

  test("finds alerts by number and by the document's name, with the right for alerts alone", async () => {
    const { id, admin } = await provider.company();
    const { json: document } = await provider.issue(admin.token, { name: "Lease of the mill" });
    const alert = await withAlert(id, document.id, 123);
    await provider.group(id, "Watchers", { alerts: "C:R" });
    const watcher = await provider.user(id, { group: "Watchers" });
    for (const token of [admin.token, watcher.token]) {
      for (const text of ["AL-000123", "al-123", "AL 123"]) {
        const results = await find(token, text);
        expect(results.exact, text).toEqual({ kind: "alert", id: alert });
        expect(ids(results.alerts)).toEqual([alert]);
      }
      expect(ids((await find(token, "OF THE MILL")).alerts)).toEqual([alert]);
      expect(ids((await find(token, "mi")).alerts)).toEqual([alert]);
    }
    expect((await find(watcher.token, "of the mill")).documents.rows).toEqual([]);
    expect(await find(watcher.token, document.number)).toMatchObject({ exact: null, alerts: { rows: [] } });
  });

  test("finds documents by the values of their custom fields, and names the field", async () => {
    const { token } = (await provider.company()).admin;
    const fields = (value: string) => ({ "custom_fields[0][name]": "Plot", "custom_fields[0][value]": value });
    const { json: document } = await provider.issue(token, fields("Title LR-2019/77 ÄB"));
    const results = await find(token, "lr-2019/77 äb");
    expect(results.documents.rows).toMatchObject([
      { id: document.id, found_in: { name: "Plot", value: "Title LR-2019/77 ÄB" } },
    ]);
    await rebuildDerivedTables(provider.db);
    expect(ids((await find(token, "lr-2019/77")).documents)).toEqual([document.id]);
    const changed = provider.db.updateTable("custom_fields").where("document_id", "=", document.id);
    await changed.set({ value: "Other" }).execute();
    expect((await find(token, "lr-2019/77")).documents.rows).toEqual([]);
    expect(ids((await find(token, "other")).documents)).toEqual([document.id]);
    await provider.db.deleteFrom("custom_fields").where("document_id", "=", document.id).execute();
    expect((await find(token, "other")).documents.rows).toEqual([]);
  });

  test("finds nothing of other companies, nor without the right", async () => {
    const { id, admin } = await provider.company();
    const { json: document } = await provider.issue(admin.token, {
      name: "Lease of the mill",
      "custom_fields[0][name]": "Plot",
      "custom_fields[0][value]": "Mill pond 9",
    });
    await withAlert(id, document.id, 777);
    await provider.group(id, "Nothing", {});
    const { token } = await provider.user(id, { group: "Nothing" });
    const other = (await provider.company()).admin;
    const { json: me } = await provider.call("currentUser", { token: admin.token });
    const nothing = { rows: [], more: false };
    for (const stranger of [token, other.token]) {
      for (const q of [document.number, document.code, "of the mill", "mill pond", "AL-000777", me.email]) {
        const none = { exact: null, documents: nothing, alerts: nothing, users: nothing, branches: nothing };
        expect(await find(stranger, q), q).toMatchObject({ ...none, is_partial: false });
      }
    }
    expect((await find(admin.token, "mill pond")).documents.rows).toHaveLength(1);
  });

  test("finds own documents alone with a personal right, by custom fields as well", async () => {
    const { id, admin } = await provider.company();
    const fields = { "custom_fields[0][name]": "Plot", "custom_fields[0][value]": "Weir 12" };
    await provider.group(id, "Own", { docs: "P:R/W/C" });
    const own = await provider.user(id, { group: "Own" });
    const { json: theirs } = await provider.issue(admin.token, { name: "Barn lease", ...fields });
    expect(theirs.id).toBeGreaterThan(0);
    const { json: mine } = await provider.issue(own.token, { name: "Barn permit", ...fields });
    for (const q of ["barn", "weir 12"]) expect(ids((await find(own.token, q)).documents), q).toEqual([mine.id]);
    expect((await find(own.token, theirs.code)).exact).toBeNull();
  });
});
