import { describe, expect, test } from "vitest";
import { hasDatabase } from "#tests/fixtures/provider.ts";
import { newUser, urns, withDirectory } from "#tests/fixtures/scim.ts";

const suite = describe.runIf(hasDatabase());

/** Three users beside the administrator, by their user names. */
async function withUsers() {
  const directory = await withDirectory();
  const add = (userName: string, fields: object) =>
    directory.post("/Users", newUser({ userName, emails: [{ value: `${userName}@work.example` }], ...fields }));
  await add("bjensen", { displayName: "Babs Jensen", title: "Tour Guide", externalId: "Ext-1" });
  await add("jsmith", { displayName: "Jörg Smith", active: false, name: { familyName: "O'Malley" } });
  await add("100%_real", { displayName: "Zoe", externalId: "ext-1", phoneNumbers: [{ value: "5" }] });
  const names = async (filter: string) =>
    (await directory.find("/Users", filter)).map(({ userName }) => userName as string).toSorted();
  return { ...directory, names };
}

suite("A list of SCIM", () => {
  test.each<[string, string[]]>([
    ['userName eq "BJENSEN"', ["bjensen"]],
    ['USERNAME Eq "bjensen"', ["bjensen"]],
    [`${urns.user}:userName sw "J"`, ["jsmith"]],
    ['userName co "%_r"', ["100%_real"]],
    ['userName ew "mith"', ["jsmith"]],
    ['externalId eq "Ext-1"', ["bjensen"]],
    ['displayName eq "jorg smith"', ["jsmith"]],
    ['emails eq "bjensen@work.example"', ["bjensen"]],
    ['emails.value eq "BJensen@WORK.example"', ["bjensen"]],
    ['emails[type eq "work" and value eq "bjensen@work.example"]', ["bjensen"]],
    ['emails[type eq "home" and value eq "bjensen@work.example"]', []],
    [`name.familyName co "O'Malley"`, ["jsmith"]],
    ["title pr", ["bjensen"]],
    ["not (title pr) and active eq true and phoneNumbers pr", ["100%_real"]],
    ['title pr and (displayName sw "x" or displayName sw "b")', ["bjensen"]],
    ["active eq false", ["jsmith"]],
    ['active eq "False"', ["jsmith"]],
    ['userName eq "nobody"', []],
    ['id eq "none"', []],
    ['displayName gt "jz" and externalId pr', ["100%_real"]],
    ["title eq null and externalId eq null", expect.arrayContaining([expect.stringContaining("admin-")]) as string[]],
    ['userName eq "a\\u0000b\\uD800"', []],
  ])("filters users by %s", async (filter, expected) => {
    const { names } = await withUsers();
    expect(await names(filter)).toEqual(expected);
  });

  test.each([
    "userName",
    "userName eq",
    'userName is "x"',
    '(userName eq "x"',
    'shoeSize eq "x"',
    'constructor eq "x"',
    'active gt "x"',
    "x".repeat(1001),
  ])("refuses the filter %s", async (filter) => {
    const { get } = await withDirectory();
    const { status, json } = await get(`/Users?filter=${encodeURIComponent(filter)}`);
    expect([status, json.scimType]).toEqual([400, "invalidFilter"]);
  });

  test("is read in parts, from the first on, and of 200 rows at most", async () => {
    const { get, db, companyId } = await withDirectory();
    const row = await db.selectFrom("users").selectAll().executeTakeFirstOrThrow();
    const { id: _, ...columns } = row;
    const rows = Array.from({ length: 210 }, (__, n) => ({
      ...columns,
      email: `${n}@x.example`,
      email_key: `${n}@x.example`,
    }));
    await db.insertInto("users").values(rows).execute();
    expect(columns.company_id).toBe(companyId);
    const page = async (query: string) => {
      const { json } = await get(`/Users?${query}`);
      expect(json.schemas).toEqual([urns.list]);
      expect(json.itemsPerPage).toBe(json.Resources.length);
      return [json.totalResults, json.startIndex, json.itemsPerPage];
    };
    expect(await page("")).toEqual([211, 1, 100]);
    expect(await page("count=1000")).toEqual([211, 1, 200]);
    expect(await page("startIndex=209&count=10")).toEqual([211, 209, 3]);
    expect(await page("startIndex=-3&count=-1")).toEqual([211, 1, 0]);
    expect(await page("startIndex=1000")).toEqual([211, 1000, 0]);
    expect((await get("/Users?count=ten")).json.scimType).toBe("invalidValue");
    const [{ json: one }, { json: two }] = await Promise.all([
      get("/Users?count=1"),
      get("/Users?startIndex=2&count=1"),
    ]);
    expect(one.Resources[0].id).not.toBe(two.Resources[0].id);
  });

  test("is searched by POST as by GET", async () => {
    const { post, get } = await withUsers();
    const query = { filter: "title pr or active eq false", sortBy: "displayName", startIndex: 2, count: 5 };
    const attributes = ["userName", "name.familyName"];
    const { status, json } = await post("/Users/.search", { schemas: [urns.search], ...query, attributes });
    const texts = Object.entries(query).map(([name, value]) => [name, String(value)]);
    const address = new URLSearchParams([...texts, ["attributes", attributes.join(",")]]);
    expect([status, json]).toEqual([200, (await get(`/Users?${address}`)).json]);
    expect(json.Resources).toMatchObject([{ userName: "jsmith", name: { familyName: "O'Malley" } }]);
    expect((await post("/Users/.search", { filter: "title pr" })).json.scimType).toBe("invalidSyntax");
    expect((await get("/Users/.search")).status).toBe(404);
  });

  test("is sorted", async () => {
    const { get } = await withUsers();
    const order = async (query: string) =>
      (await get(`/Users?${query}`)).json.Resources.map(({ displayName }: { displayName: string }) => displayName);
    const names = ["Ada Admin", "Babs Jensen", "Jörg Smith", "Zoe"];
    expect(await order("sortBy=displayName")).toEqual(names);
    expect(await order("sortBy=displayName&sortOrder=descending")).toEqual(names.toReversed());
    expect((await get("/Users?sortBy=emails.type")).json.scimType).toBe("invalidPath");
  });

  test.each([
    ["attributes=userName", ["id", "schemas", "userName"]],
    ["attributes=name.familyName,USERNAME", ["id", "name", "schemas", "userName"]],
    [`attributes=${urns.user}:emails.value`, ["emails", "id", "schemas"]],
    [
      "excludedAttributes=id,name,emails,groups,meta,schemas",
      ["active", "displayName", "externalId", "id", "schemas", "userName"],
    ],
  ])("has the attributes of %s", async (query, expected) => {
    const { post, get } = await withDirectory();
    const { json: made } = await post(`/Users?${query}`, newUser());
    const { json: one } = await get(`/Users/${made.id}?${query}`);
    const { json: all } = await get(`/Users?${query}&filter=${encodeURIComponent(`id eq "${made.id}"`)}`);
    for (const user of [made, one, all.Resources[0]]) expect(Object.keys(user).toSorted()).toEqual(expected);
    if (query.includes("familyName")) expect(Object.keys(one.name)).toEqual(["familyName"]);
    if (query.includes("emails.value")) expect(one.emails).toEqual([{ value: expect.any(String) }]);
  });

  test("has the extension’s attributes only if they are wanted", async () => {
    const { post, get } = await withDirectory();
    const { json } = await post("/Users", newUser({ [urns.enterprise]: { department: "Sales" } }));
    const keys = async (query: string) => Object.keys((await get(`/Users/${json.id}?${query}`)).json);
    for (const name of [urns.enterprise, `${urns.enterprise}:department`]) {
      expect(await keys(`attributes=${name}`)).toContain(urns.enterprise);
      expect(await keys(`excludedAttributes=${name}`)).not.toContain(urns.enterprise);
    }
    expect(await keys("attributes=userName")).not.toContain(urns.enterprise);
  });
});
