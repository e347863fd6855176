import { describe, expect, test } from "vitest";
import { bulkIssue, checkedBulkIssue, whatForm, withFile, zipFile } from "#tests/fixtures/bulk-issues.ts";
import { pngFile } from "#tests/fixtures/files.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { bulkLimits } from "../contract/bulk-options.ts";

const suite = describe.runIf(hasDatabase());
const page = await pngFile();

async function withAdmin(settings: Parameters<typeof testProvider>[0] = {}) {
  const provider = await testProvider(settings);
  const { id: companyId, admin } = await provider.company();
  return { ...provider, companyId, admin, token: admin.token };
}

suite("POST /bulk-issues", () => {
  test("begins a draft with what all documents have in common, the user’s own and of today by default", async () => {
    const { call, token, admin } = await withAdmin();
    const { status, json } = await call("createBulkIssue", { token, body: { ...whatForm, date: "" } });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      state: "draft",
      date: "2026-11-21",
      email: admin.email,
      content: "zip",
      is_own: true,
    });
    expect(json.fields.map(({ value }: { value: string }) => value)).toContain("file");
  });

  test("refuses a subtype of another type by its field", async () => {
    const { call, token } = await withAdmin();
    const { status, json } = await call("createBulkIssue", { token, body: { ...whatForm, document_subtype: "Lease" } });
    expect([status, Object.keys(json.errors)]).toEqual([422, ["document_subtype"]]);
  });

  test("refuses one more than a user can have unfinished", async () => {
    const { call, token } = await withAdmin();
    const begin = () => call("createBulkIssue", { token, body: whatForm });
    const ids = [];
    for (let n = 0; n < bulkLimits.unfinished.user; n++) ids.push((await begin()).json.id);
    expect((await begin()).status).toBe(409);
    await call("cancelBulkIssue", { token, params: { id: ids[0] } });
    expect((await begin()).status).toBe(201);
  });
});

suite("GET /bulk-issues", () => {
  test("lists a user’s own, and all of the company to administrators", async () => {
    const { call, token, user, group, companyId } = await withAdmin();
    await group(companyId, "Issuers", { docs: "C:R/W/C" });
    const una = await user(companyId, { name: "Una", group: "Issuers" });
    await call("createBulkIssue", { token, body: whatForm });
    await call("createBulkIssue", { token: una.token, body: whatForm });
    const idsOf = async (who: string) => {
      const { json, headers } = await call("listBulkIssues", { token: who, query: { page: 1 } });
      return [headers.get("x-total-count"), json.map(({ user }: { user: string }) => user)];
    };
    expect(await idsOf(una.token)).toEqual(["1", ["Una"]]);
    expect(await idsOf(token)).toEqual(["2", ["Una", "Ada Admin"]]);
  });
});

suite("GET /bulk-issues/{id}", () => {
  test("is not found by another user, and readable by an administrator", async () => {
    const { call, token, user, group, companyId } = await withAdmin();
    await group(companyId, "Issuers", { docs: "C:R/W/C" });
    const [una, ben] = [await user(companyId, { group: "Issuers" }), await user(companyId, { group: "Issuers" })];
    const { json } = await call("createBulkIssue", { token: una.token, body: whatForm });
    const params = { id: json.id };
    expect((await call("getBulkIssue", { token: ben.token, params })).status).toBe(404);
    expect((await call("getBulkIssue", { token, params })).json.is_own).toBe(false);
  });
});

suite("PUT /bulk-issues/{id}", () => {
  test("changes what they have in common, after which the rows are to be checked again", async () => {
    const provider = await withAdmin();
    const { call, token } = provider;
    const { about } = await checkedBulkIssue(provider, token);
    const body = { ...whatForm, document_subtype: "Safety" };
    expect((await call("updateBulkIssue", { ...about, body: { ...body, version: 1 } })).status).toBe(409);
    const { json } = await call("updateBulkIssue", { ...about, body });
    expect(json).toMatchObject({ state: "draft", checked: 0, document_subtype: "Safety" });
    const { json: rows } = await call("listBulkRows", about);
    expect(rows.map(({ pages }: { pages: number }) => pages)).toEqual([0, 0]);
  });

  test("is refused once it has begun", async () => {
    const provider = await withAdmin();
    const { call, token } = provider;
    const { about } = await checkedBulkIssue(provider, token);
    await call("startBulkIssue", { ...about, body: {} });
    const input = { ...about, body: whatForm };
    expect((await call("updateBulkIssue", input)).status).toBe(409);
    expect((await call("mapBulkColumns", { ...about, body: { mapping: ["", "", ""] } })).status).toBe(409);
    expect((await call("setBulkTable", { ...about, body: withFile("table", "name\nAnn", "t.csv") })).status).toBe(409);
    expect((await call("checkBulkIssue", about)).status).toBe(409);
  });
});

suite("POST /bulk-issues/{id}/table", () => {
  test("reads its columns and rows, and knows columns by their names", async () => {
    const { call, token } = await withAdmin();
    const { json: createdIssue } = await call("createBulkIssue", { token, body: whatForm });
    const table = "DOCUMENT number;Náme;File name;Owner E-Mail;Valid until;Grade\n1;Ann;a.png;;01-02-2030;A\n";
    const body = withFile("table", table, "people.csv");
    const { status, json } = await call("setBulkTable", { token, params: { id: createdIssue.id }, body });
    expect(status).toBe(200);
    expect(json).toMatchObject({ table_name: "people.csv", rows: 1 });
    expect(json.mapping).toEqual(["number", "name", "file", "email", "expire_date", ""]);
  });

  test("refuses a file that is no table, an empty one, and too long a text", async () => {
    const { call, token } = await withAdmin();
    const { json: createdIssue } = await call("createBulkIssue", { token, body: whatForm });
    const send = (content: Buffer | string) =>
      call("setBulkTable", { token, params: { id: createdIssue.id }, body: withFile("table", content, "t.csv") });
    for (const content of [page, "name\n", `name\n${"x".repeat(bulkLimits.cell + 1)}`]) {
      const { status, json } = await send(content);
      expect([status, Object.keys(json.errors)]).toEqual([422, ["table"]]);
    }
    const many = await send(`name\n${"Ann\n".repeat(bulkLimits.rows + 1)}`);
    expect([many.status, Object.keys(many.json.errors)]).toEqual([422, ["table"]]);
    const none = await call("setBulkTable", { token, params: { id: createdIssue.id }, body: new FormData() });
    expect([none.status, none.json.errors]).toEqual([422, { table: ["Choose the table first"] }]);
  });
});

suite("POST /bulk-issues/{id}/archive", () => {
  test.each([
    ["leads out of it", { "..xpage.png": page }, [["..xpage.png", "../page.png"]], "leads out"],
    ["is absolute", { "xetc/page.png": page }, [["xetc/page.png", "/etc/page.png"]], "leads out"],
    ["is there twice", { "a.png": page, "b.png": page }, [["b.png", "A.png"]], "twice"],
  ] as const)("refuses a ZIP in which a name %s", async (_, files, replaced, refusal) => {
    const { call, token } = await withAdmin();
    const { json: createdIssue } = await call("createBulkIssue", { token, body: whatForm });
    let bytes = (await zipFile(files)).toString("latin1");
    for (const [from, to] of replaced) bytes = bytes.replaceAll(from, to);
    const body = withFile("archive", Buffer.from(bytes, "latin1"), "pages.zip");
    const { status, json } = await call("setBulkArchive", { token, params: { id: createdIssue.id }, body });
    expect([status, json.errors?.archive?.[0]]).toEqual([422, expect.stringContaining(refusal)]);
  });

  test("refuses a bomb, a very long name, an empty ZIP, and a file that is no ZIP", async () => {
    const { call, token, services } = await withAdmin();
    const { json: createdIssue } = await call("createBulkIssue", { token, body: whatForm });
    const bomb = await zipFile({ "a.png": Buffer.alloc(20_000_000) });
    const longName = await zipFile({ [`${"folder/".repeat(200)}a.png`]: page });
    for (const content of [bomb, longName, await zipFile({}), page, Buffer.from("PK")]) {
      const body = withFile("archive", content, "pages.zip");
      const { status, json } = await call("setBulkArchive", { token, params: { id: createdIssue.id }, body });
      expect([status, Object.keys(json.errors)]).toEqual([422, ["archive"]]);
    }
    const keys = [];
    for await (const key of services.files.keys()) keys.push(key);
    expect(keys).toEqual([]);
  });

  test("counts towards the company’s storage while it waits", async () => {
    const quotas = { companyBytes: 1_000_000 };
    const provider = await withAdmin({ quotas });
    const [first, second] = [await bulkIssue(provider, provider.token), await bulkIssue(provider, provider.token)];
    const { archive_bytes } = await provider.db.selectFrom("bulk_issues").selectAll().executeTakeFirstOrThrow();
    quotas.companyBytes = 2 * Number(archive_bytes);
    const send = async () =>
      provider.call("setBulkArchive", {
        ...first.about,
        body: withFile("archive", await zipFile({ "c.png": page }), "c.zip"),
      });
    expect((await send()).status).toBe(409);
    await provider.call("cancelBulkIssue", second.about);
    expect((await send()).status).toBe(200);
  });

  test("replaces the one before", async () => {
    const provider = await withAdmin();
    const { about } = await bulkIssue(provider, provider.token);
    const body = withFile("archive", await zipFile({ "c.png": page }), "more.zip");
    const { json } = await provider.call("setBulkArchive", { ...about, body });
    expect(json).toMatchObject({ archive_name: "more.zip", archive_files: 1 });
    const keys = [];
    for await (const key of provider.services.files.keys()) keys.push(key);
    // The table's file is the other one.
    expect(keys.length).toBe(2);
  });
});

suite("Two at once", () => {
  test("add ZIPs, and the store has one of them and no other file", async () => {
    const provider = await withAdmin();
    const { about } = await bulkIssue(provider, provider.token);
    const send = async (name: string) => {
      const body = withFile("archive", await zipFile({ [name]: page }), `${name}.zip`);
      return provider.call("setBulkArchive", { ...about, body });
    };
    const replies = await Promise.all([send("c.png"), send("d.png")]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const { archive_key, table_key } = await provider.db
      .selectFrom("bulk_issues")
      .selectAll()
      .executeTakeFirstOrThrow();
    const keys = await Array.fromAsync(provider.services.files.keys());
    expect(keys.toSorted()).toEqual([archive_key, table_key].toSorted());
  });

  test("add tables, and the last one has all of its rows, and none of another", async () => {
    const provider = await withAdmin();
    const { about } = await bulkIssue(provider, provider.token);
    const send = (name: string) => {
      const lines = Array.from({ length: 5000 }, (_, n) => `${name}-${n},${name},a.png`);
      const body = withFile("table", ["Number,Name,File", ...lines].join("\n"), `${name}.csv`);
      return provider.call("setBulkTable", { ...about, body });
    };
    const issue = () => provider.db.selectFrom("bulk_issues").selectAll().executeTakeFirstOrThrow();
    await send("first");
    for (let round = 0; round < 3; round++) {
      const replies = await Promise.all([send(`one ${round}`), send(`two ${round}`)]);
      expect([
        [200, 200],
        [200, 409],
      ]).toContainEqual(replies.map(({ status }) => status).toSorted());
      const { table_name } = await issue();
      const rows = await provider.db.selectFrom("bulk_issue_rows").select("cells").execute();
      const names = new Set(rows.map(({ cells }) => `${JSON.parse(cells)[1]}.csv`));
      expect([rows.length, ...names]).toEqual([5000, table_name]);
    }
    const { archive_key, table_key } = await issue();
    const keys = await Array.fromAsync(provider.services.files.keys());
    expect(keys.toSorted()).toEqual([archive_key, table_key].toSorted());
  });
});

suite("POST /bulk-issues/{id}/mapping", () => {
  test("is remembered for the user’s next table with these columns", async () => {
    const provider = await withAdmin();
    const { call, token } = provider;
    const { about } = await bulkIssue(provider, token);
    const mapping = ["custom", "name", "file"];
    expect((await call("mapBulkColumns", { ...about, body: { mapping } })).json.mapping).toEqual(mapping);
    const next = await bulkIssue(provider, token);
    expect((await call("getBulkIssue", next.about)).json.mapping).toEqual(mapping);
  });

  test("refuses an unknown field, and a field of two columns", async () => {
    const provider = await withAdmin();
    const { about } = await bulkIssue(provider, provider.token);
    const body = { mapping: ["name", "name", "what"] };
    const { status, json } = await provider.call("mapBulkColumns", { ...about, body });
    expect([status, Object.keys(json.errors)]).toEqual([422, ["mapping[1]", "mapping[2]"]]);
  });
});
