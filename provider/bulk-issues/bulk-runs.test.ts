import { describe, expect, test } from "vitest";
import { checkedBulkIssue, bulkIssue, whatForm } from "#tests/fixtures/bulk-issues.ts";
import { pngFile } from "#tests/fixtures/files.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { issueNext } from "./issue-rows.ts";
import { finishIfDone, refuseRest } from "./state.ts";

const suite = describe.runIf(hasDatabase());
const page = await pngFile();
const quiet = { info: () => {}, warn: () => {}, error: () => {} };

async function withAdmin(change: Parameters<typeof testProvider>[0] = {}) {
  const provider = await testProvider(change);
  const { id: companyId, admin } = await provider.company();
  const { token } = admin;
  const checked = (content?: Parameters<typeof checkedBulkIssue>[2], who = token) =>
    checkedBulkIssue(provider, who, content);
  const countDocuments = async () => (await provider.db.selectFrom("documents").select("id").execute()).length;
  return { ...provider, companyId, admin, token, checked, countDocuments };
}

const issuers = { docs: "C:R/W/C" };
const wrongRows = [
  ["A-1", "Ann", "a.png"],
  ["A-1", "Ben", "a.png"],
  ["USED", "Cleo", "none.png"],
  ["A-2", "", "text.png"],
];
const wrongFiles = { "a.png": page, "text.png": Buffer.from("no picture") };

suite("POST /bulk-issues/{id}/check", () => {
  test("finds each row's problems by line and column, and counts pages", async () => {
    const { call, token, issue, checked } = await withAdmin();
    await issue(token, { number: "used" });
    const { about } = await checked({ rows: wrongRows, files: wrongFiles });
    const { json } = await call("getBulkIssue", about);
    expect(json).toMatchObject({ state: "checked", rows: 4, checked: 4, wrong: 3, pages: 1, pages_used: 1 });
    const { json: rows } = await call("listBulkRows", { ...about, query: { state: "wrong" } });
    const problemsByLine = rows.map(
      ({ line, problems }: { line: number; problems: { column: string; message: string }[] }) => [
        line,
        ...problems.map(({ column, message }) => `${column}: ${message}`),
      ],
    );
    expect(problemsByLine).toEqual([
      [3, "Number: Line 2 has the number A-1 too: change one of them"],
      [4, "File: “none.png” is not in the ZIP", "Number: The number USED is already used: choose another"],
      [5, "Name: Enter the document name", expect.stringContaining("File: “text.png” ")],
    ]);
  });

  test("refuses owners that the user can’t issue for", async () => {
    const { call, checked, companyId, user, group } = await withAdmin();
    await group(companyId, "Issuers", { docs: "P:R/W/C" });
    const una = await user(companyId, { name: "Una", group: "Issuers" });
    const { about } = await checked({ what: { email: "ada@company.example" } }, una.token);
    const { json: rows } = await call("listBulkRows", about);
    expect(rows[0].problems).toEqual([{ column: "", message: expect.stringContaining("No user with this email") }]);
  });

  test("is refused while a field that every document needs has neither a column nor a common value", async () => {
    const { call, checked } = await withAdmin();
    const { about } = await checked({ what: { name: "" } });
    await call("mapBulkColumns", { ...about, body: { mapping: ["number", "custom", "file"] } });
    const { status, json } = await call("checkBulkIssue", about);
    expect([status, json.message]).toEqual([
      409,
      expect.stringContaining("Enter the document name: choose the column"),
    ]);
  });

  test("is refused before there is a table and a ZIP", async () => {
    const { call, token } = await withAdmin();
    const { json } = await call("createBulkIssue", {
      token,
      body: whatForm,
    });
    expect((await call("checkBulkIssue", { token, params: { id: json.id } })).status).toBe(409);
  });
});

suite("GET /bulk-issues/{id}/rows", () => {
  test("are in pages, by state and by a text in them", async () => {
    const { call, checked } = await withAdmin();
    const { about } = await checked();
    const { json, headers } = await call("listBulkRows", { ...about, query: { page: 2, per_page: 1 } });
    expect([headers.get("x-total-count"), json[0].line]).toEqual(["2", 3]);
    const searchReply = await call("listBulkRows", { ...about, query: { search: "ben" } });
    expect(searchReply.json.map(({ cells }: { cells: string[] }) => cells[1])).toEqual(["Ben"]);
  });
});

suite("GET /bulk-issues/{id}/rows/{line}/preview", () => {
  test("draws the document that a row would become", async () => {
    const { call, checked } = await withAdmin();
    const { about } = await checked({ rows: wrongRows, files: wrongFiles });
    const preview = (line: number, page = 1) =>
      call("previewBulkRow", { ...about, params: { ...about.params, line }, query: { page } });
    const { status, headers, bytes } = await preview(2);
    expect([status, headers.get("content-type")]).toEqual([200, "image/webp"]);
    expect(Buffer.from(bytes).toString("latin1", 8, 12)).toBe("WEBP");
    expect((await preview(2, 2)).status).toBe(404);
    expect((await preview(99)).status).toBe(404);
    expect((await preview(5)).json.errors).toHaveProperty("File");
  });
});

suite("POST /bulk-issues/{id}/start", () => {
  test("issues a document of each row, with its number, name and page file", async () => {
    const { call, run, checked } = await withAdmin();
    const { about } = await checked();
    expect((await call("startBulkIssue", { ...about, body: {} })).json.state).toBe("running");
    await run("bulk issues");
    expect((await call("getBulkIssue", about)).json).toMatchObject({ state: "done", issued: 2, refused: 0 });
    const { json: rows } = await call("listBulkRows", about);
    const { json } = await call("getDocument", { ...about, params: { id: rows[1].document } });
    expect(json).toMatchObject({ number: "BULK-2", name: "Ben", document_subtype: "Training", pages: 1 });
    expect(json.files.pages[0].name).toBe("b.png");
  });

  test("issues nothing while a row is wrong, unless wrong rows are left out", async () => {
    const { call, run, checked, countDocuments } = await withAdmin();
    const { about } = await checked({ rows: wrongRows, files: wrongFiles });
    expect((await call("startBulkIssue", { ...about, body: {} })).status).toBe(409);
    expect(await countDocuments()).toBe(0);
    await call("startBulkIssue", { ...about, body: { leave_out_wrong: true } });
    await run("bulk issues");
    const { json } = await call("getBulkIssue", about);
    expect(json).toMatchObject({ state: "done", issued: 1, left_out: 3 });
  });

  test("is refused before rows are checked", async () => {
    const provider = await withAdmin();
    const { about } = await bulkIssue(provider, provider.token);
    expect((await provider.call("startBulkIssue", { ...about, body: {} })).status).toBe(409);
  });

  test("refuses a row whose number another document took meanwhile, and goes on", async () => {
    const { call, run, checked, issue, token } = await withAdmin();
    const { about } = await checked();
    await issue(token, { number: "bulk-1" });
    await call("startBulkIssue", { ...about, body: {} });
    await run("bulk issues");
    const { json: rows } = await call("listBulkRows", about);
    expect(rows.map(({ state }: { state: string }) => state)).toEqual(["refused", "issued"]);
    expect(rows[0].problems[0]).toMatchObject({ column: "Number", message: expect.stringContaining("already used") });
  });

  test("refuses the rest once its user loses the right, and says so", async () => {
    const { call, run, checked, companyId, user, group, db, countDocuments } = await withAdmin();
    const { id: groupId } = await group(companyId, "Issuers", issuers);
    const una = await user(companyId, { name: "Una", group: "Issuers" });
    const { about } = await checked({}, una.token);
    await call("startBulkIssue", { ...about, body: {} });
    await db.updateTable("access_groups").set({ docs: "C:R" }).where("id", "=", groupId).execute();
    await run("bulk issues");
    expect(await countDocuments()).toBe(0);
    await db.updateTable("access_groups").set({ docs: "C:R/W/C" }).where("id", "=", groupId).execute();
    const { json } = await call("getBulkIssue", about);
    expect(json).toMatchObject({ state: "done", refused: 2, reason: expect.stringContaining("may no longer issue") });
  });

  test("issues each row once, however often and from wherever it is run", async () => {
    const { call, run, checked, countDocuments } = await withAdmin();
    const { about } = await checked();
    await call("startBulkIssue", { ...about, body: {} });
    await Promise.all([run("bulk issues"), run("bulk issues"), run("bulk issues")]);
    await call("startBulkIssue", { ...about, body: {} });
    await run("bulk issues");
    expect(await countDocuments()).toBe(2);
    expect((await call("getBulkIssue", about)).json).toMatchObject({ state: "done", issued: 2 });
  });

  test("removes the ZIP at the end", async () => {
    const { call, run, checked, services } = await withAdmin();
    const { about } = await checked();
    await call("startBulkIssue", { ...about, body: {} });
    await run("bulk issues");
    const keys = [];
    for await (const key of services.files.keys()) keys.push(key);
    expect(keys.filter((key) => key.startsWith("bulk-issues/"))).toEqual([]);
  });
});

suite("POST /bulk-issues/{id}/pause", () => {
  test("stops until it is resumed, also by an administrator", async () => {
    const { call, run, checked, token, companyId, user, group, countDocuments } = await withAdmin();
    await group(companyId, "Issuers", issuers);
    const una = await user(companyId, { name: "Una", group: "Issuers" });
    const { about } = await checked({}, una.token);
    await call("startBulkIssue", { ...about, body: {} });
    expect((await call("pauseBulkIssue", { ...about, token })).json.state).toBe("paused");
    await run("bulk issues");
    expect(await countDocuments()).toBe(0);
    expect((await call("resumeBulkIssue", { ...about, token })).status).toBe(403);
    await call("resumeBulkIssue", about);
    await run("bulk issues");
    expect(await countDocuments()).toBe(2);
  });

  test("is refused for one that does not run", async () => {
    const { call, checked } = await withAdmin();
    expect((await call("pauseBulkIssue", (await checked()).about)).status).toBe(409);
  });
});

suite("a step in the moment in which a run ends", () => {
  const startRun = async () => {
    const provider = await withAdmin();
    const { about, id } = await provider.checked();
    await provider.call("startBulkIssue", { ...about, body: {} });
    const readIssue = () =>
      provider.db.selectFrom("bulk_issues").where("id", "=", id).selectAll().executeTakeFirstOrThrow();
    return { ...provider, about, running: await readIssue(), readIssue };
  };

  test("pauses it with its files, so that it ends in peace when it is resumed", async () => {
    const { call, services, about, running, readIssue, run, countDocuments } = await startRun();
    await call("pauseBulkIssue", about);
    await finishIfDone(services, running);
    await refuseRest(services, running, "its files are gone");
    expect(await readIssue()).toMatchObject({ state: "paused", refused: 0 });
    await call("resumeBulkIssue", about);
    await run("bulk issues");
    expect(await readIssue()).toMatchObject({ state: "done", issued: 2, refused: 0, reason: "" });
    expect(await countDocuments()).toBe(2);
  });

  test("cancels it, and no row is wrong because its files have gone", async () => {
    const { call, db, services, about, running, readIssue } = await startRun();
    await db.updateTable("bulk_issues").set({ issued: 1 }).execute();
    await call("cancelBulkIssue", about);
    const content = { store: () => Promise.reject(new Error("ENOENT")), close: () => {} };
    await issueNext({ ...services, log: quiet }, running, content as never, AbortSignal.timeout(60_000));
    await refuseRest(services, running, "its files are gone");
    expect(await readIssue()).toMatchObject({ state: "cancelled", refused: 0 });
    expect((await call("listBulkRows", { ...about, query: { state: "refused" } })).json).toEqual([]);
  });
});

suite("POST /bulk-issues/{id}/resume", () => {
  test("resumes at the row at which storage ran out, once there is more", async () => {
    const quotas = { companyBytes: 500_000 };
    const { call, run, checked, countDocuments } = await withAdmin({ quotas });
    const { about } = await checked();
    await call("startBulkIssue", { ...about, body: {} });
    await run("bulk issues");
    const { json } = await call("getBulkIssue", about);
    expect(json).toMatchObject({
      state: "waiting",
      issued: 1,
      refused: 0,
      reason: expect.stringContaining("may store"),
    });
    quotas.companyBytes = Infinity;
    await call("resumeBulkIssue", about);
    await run("bulk issues");
    expect((await call("getBulkIssue", about)).json).toMatchObject({ state: "done", issued: 2, reason: "" });
    expect(await countDocuments()).toBe(2);
  });

  test("is refused for one that is not paused", async () => {
    const { call, checked } = await withAdmin();
    expect((await call("resumeBulkIssue", (await checked()).about)).status).toBe(409);
  });
});

suite("POST /bulk-issues/{id}/cancel", () => {
  test("stops for good, and keeps what was issued", async () => {
    const { call, run, checked, services, countDocuments } = await withAdmin();
    const { about } = await checked();
    await call("startBulkIssue", { ...about, body: {} });
    expect((await call("cancelBulkIssue", about)).json.state).toBe("cancelled");
    await run("bulk issues");
    expect(await countDocuments()).toBe(0);
    expect((await call("resumeBulkIssue", about)).status).toBe(409);
    expect(await Array.fromAsync(services.files.list("bulk-issues"))).toEqual([]);
  });

  test("removes a table without an issued row, so that discarded ones do not fill the database", async () => {
    const { call, checked } = await withAdmin();
    const { about } = await checked();
    const { json } = await call("cancelBulkIssue", about);
    expect(json).toMatchObject({ state: "cancelled", rows: 2, issued: 0 });
    expect((await call("listBulkRows", about)).json).toEqual([]);
  });
});
