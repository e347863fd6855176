import { describe, expect, test } from "vitest";
import { hasDatabase, testProvider, type TestProvider } from "#tests/fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());

const everything = "C:R/W/C";
const administrators = Object.fromEntries(
  ["docs", "co_profile", "branches", "tariffs", "alerts", "map", "users", "roles"].map((area) => [area, everything]),
);

/** A provider with one company, and its groups by name. */
async function withCompany(provider?: TestProvider) {
  provider ??= await testProvider();
  const { id, admin } = await provider.company();
  const { token } = admin;
  const groups = async () =>
    (await provider.call("listAccessGroups", { token })).json as { id: number; name: string }[];
  const idOf = async (name: string) => (await groups()).find((group) => group.name === name)!.id;
  return { ...provider, companyId: id, admin, token, groups, idOf };
}

const names = (rows: { name: string }[]) => rows.map(({ name }) => name);

suite("GET /access-groups", () => {
  test("lists the groups with permissions and member counts", async () => {
    const { call, token } = await withCompany();
    const { json } = await call("listAccessGroups", { token });
    expect(json.map(({ name, members }: { name: string; members: number }) => [name, members])).toEqual([
      ["Accountant", 0],
      ["Administrator", 1],
      ["Branch Inspector", 0],
    ]);
    expect(json[0].docs).toBe("C:R/W/C");
  });

  test("pages, filters and sorts the own company's groups", async () => {
    const { call, company, token } = await withCompany();
    await company();
    const list = async (query: Record<string, string | number>) => {
      const { json, headers } = await call("listAccessGroups", { token, query });
      return [headers.get("x-total-count"), ...names(json)];
    };
    expect(await list({ page: 2, per_page: 2 })).toEqual(["3", "Branch Inspector"]);
    expect(await list({ name: "ADMIN" })).toEqual(["1", "Administrator"]);
    expect(await list({ sort: "-name", page: 1, per_page: 1 })).toEqual(["3", "Branch Inspector"]);
  });
});

suite("GET /access-groups/{id}", () => {
  test("shows a group; another company’s and removed ones are not found", async () => {
    const { call, company, group, companyId, token } = await withCompany();
    const { id } = await group(companyId, "Porters", { map: "B:R" });
    expect((await call("getAccessGroup", { token, params: { id } })).json).toMatchObject({
      name: "Porters",
      map: "B:R",
      docs: "",
      members: 0,
    });
    const other = await company();
    expect((await call("getAccessGroup", { token: other.admin.token, params: { id } })).status).toBe(404);
    await call("removeAccessGroup", { token, params: { id } });
    expect((await call("getAccessGroup", { token, params: { id } })).status).toBe(404);
  });
});

suite("POST /access-groups", () => {
  test("adds a group that users can join, and audits it", async () => {
    const { call, token, db } = await withCompany();
    const body = { name: "  Porters ", docs: "P:W", co_profile: "", map: "B:C", users: "P:R" };
    const { status, json } = await call("createAccessGroup", { token, body });
    // Write and create bring read with them, which is then said.
    expect([status, json]).toMatchObject([
      201,
      { name: "Porters", docs: "P:R/W", map: "B:R/C", alerts: "", version: 1 },
    ]);
    const entry = await db
      .selectFrom("audit")
      .where("entity", "=", "access group")
      .selectAll()
      .executeTakeFirstOrThrow();
    expect([entry.action, entry.entity_name, entry.entity_id]).toEqual(["added", "Porters", json.id]);
    expect(JSON.parse(entry.changes)).toContainEqual({ field: "docs", before: null, after: "P:R/W" });
    const user = { name: "Paul Porter", email: "paul@company.example", staff: "porters" };
    expect((await call("createUser", { token, body: user })).json.staff).toBe("Porters");
  });

  test.each([
    [{ name: "" }, "name", "Enter the name"],
    [{ name: "ADMINISTRATOR" }, "name", "There is already an access group with this name: enter another"],
    [{ name: "branch staff" }, "name", "Enter another name: in documents, “Branch staff” stands for no group"],
    [{ docs: "X:R" }, "docs", "Give a permission like C:R/W/C, or leave it empty"],
    [{ docs: ":R/W" }, "docs", "Choose the scope for Docs, or untick its rights"],
    [{ docs: "B:" }, "docs", "Tick what members may do in Docs, or choose No access"],
    [{ roles: "B:R" }, "roles", "Choose Company or no access: Roles always reaches the whole company"],
    [{ tariffs: "P:R" }, "tariffs", "Choose Company or no access: Tariffs always reaches the whole company"],
    [{ co_profile: "P:R/W" }, "co_profile", "Choose Company or no access: Co profile always reaches the whole company"],
  ])("refuses %j with words at the field", async (fields, field, message) => {
    const { call, token } = await withCompany();
    const { status, json } = await call("createAccessGroup", { token, body: { name: "Porters", ...fields } });
    expect([status, json.errors?.[field]?.[0]]).toEqual([422, message]);
    expect(Object.keys(json.errors)).toEqual([field]);
  });

  test("gives a group no more rights than the actor has", async () => {
    const { call, companyId, group, user } = await withCompany();
    await group(companyId, "Planners", { roles: "C:R/C", docs: "B:R/W", map: "C:R" });
    const { token } = await user(companyId, { group: "Planners" });
    const add = async (fields: object) =>
      (await call("createAccessGroup", { token, body: { name: "New", ...fields } })).json;
    const refused = await add({ docs: "C:R", alerts: "P:R", roles: "C:R/W", map: "P:R/C" });
    expect(refused.errors).toEqual(
      Object.fromEntries(
        ["Docs", "Alerts", "Map", "Roles"].map((area) => [
          area.toLowerCase(),
          [`${area}: give no more than your own access group may do`],
        ]),
      ),
    );
    expect(await add({ docs: "P:R/W", map: "B:R", roles: "C:R/C" })).toMatchObject({ name: "New", docs: "P:R/W" });
  });

  test("ignores company, id, members and version", async () => {
    const { call, company, token, companyId, db } = await withCompany();
    const other = await company();
    const smuggled = { id: 1, company_id: other.id, active: 0, members: 9, version: 9, name_key: "x" };
    const { json } = await call("createAccessGroup", { token, body: { name: "Porters", ...smuggled } });
    const row = await db.selectFrom("access_groups").where("id", "=", json.id).selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ company_id: companyId, active: 1, version: 1, name_key: "porters" });
    expect(json.members).toBe(0);
  });
});

suite("PUT /access-groups/{id}", () => {
  test("applies to its members’ next call", async () => {
    const { call, companyId, group, user, token, issue } = await withCompany();
    const { id } = await group(companyId, "Clerks", { docs: "C:R" });
    const clerk = await user(companyId, { group: "Clerks" });
    const document = (await issue(token)).json;
    const params = { id: document.id };
    const change = (docs: string, more = {}) =>
      call("updateAccessGroup", { token, params: { id }, body: { name: "Clerks", docs, ...more } });
    expect((await call("getDocument", { token: clerk.token, params })).status).toBe(200);
    expect((await call("archiveDocument", { token: clerk.token, params })).status).toBe(403);
    expect((await change("C:R/W")).json).toMatchObject({ docs: "C:R/W", members: 1, version: 2 });
    expect((await call("archiveDocument", { token: clerk.token, params })).status).toBe(200);
    await change("P:R/W");
    expect((await call("getDocument", { token: clerk.token, params })).status).toBe(404);
    await change("", { users: "P:R" });
    expect((await call("getDocument", { token: clerk.token, params })).status).toBe(403);
    const { permissions } = (await call("currentUser", { token: clerk.token })).json;
    expect(permissions).toMatchObject({ docs: "", users: "P:R" });
  });

  test("refuses an outdated version, saying who changed it, and audits changes", async () => {
    const { call, token, idOf, db } = await withCompany();
    const id = await idOf("Accountant");
    const change = (more: object) =>
      call("updateAccessGroup", { token, params: { id }, body: { name: "Accountant", docs: "C:R", ...more } });
    expect((await change({ version: 1, users: "C:R" })).status).toBe(200);
    const stale = await change({ version: 1, users: "" });
    expect([stale.status, stale.json.message]).toEqual([409, "Ada Admin changed this at 10:00"]);
    const { changes } = await db
      .selectFrom("audit")
      .where("entity", "=", "access group")
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(JSON.parse(changes)).toContainEqual({ field: "docs", before: "C:R/W/C", after: "C:R" });
    expect(JSON.parse(changes).map(({ field }: { field: string }) => field)).not.toContain("users");
  });

  test("never takes the right from a company’s last administrators", async () => {
    const { call, token, idOf, companyId, group, user } = await withCompany();
    const id = await idOf("Administrator");
    const change = (roles: string) =>
      call("updateAccessGroup", { token, params: { id }, body: { name: "Administrator", ...administrators, roles } });
    const message =
      "At least one administrator must remain: leave Write ticked, or make a member of another access group one";
    for (const roles of ["", "C:R", "C:R/C"]) expect((await change(roles)).json.errors).toEqual({ roles: [message] });
    // A second administrator group counts only with an active member.
    await group(companyId, "Deputies", { roles: "C:R/W" });
    expect((await change("C:R")).status).toBe(422);
    const deputy = await user(companyId, { group: "Deputies" });
    await call("removeUser", { token, params: { id: deputy.id } });
    expect((await change("C:R")).status).toBe(422);
    await user(companyId, { group: "Deputies" });
    expect((await change("C:R")).status).toBe(200);
    expect((await change("C:R/W")).status).toBe(403);
  });

  test("lets exactly one of two administrator groups be demoted at once", async () => {
    const provider = await testProvider();
    for (let round = 0; round < 10; round++) {
      const { call, token, idOf, companyId, group, user } = await withCompany(provider);
      const deputies = await group(companyId, "Deputies", { roles: "C:R/W" });
      const deputy = await user(companyId, { group: "Deputies" });
      const demote = (from: string, id: number, name: string) =>
        call("updateAccessGroup", { token: from, params: { id }, body: { name, roles: "C:R" } });
      const answers = await Promise.all([
        demote(token, deputies.id, "Deputies"),
        demote(deputy.token, await idOf("Administrator"), "Administrator"),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    }
  });
});

suite("DELETE /access-groups/{id}", () => {
  test("refuses a group with members or documents, and names them", async () => {
    const { call, token, companyId, group, user, issue } = await withCompany();
    const { id } = await group(companyId, "Anglers", { docs: "B:R" });
    const remove = async () => {
      const { status, json } = await call("removeAccessGroup", { token, params: { id } });
      return [status, json?.message];
    };
    const angler = await user(companyId, { group: "Anglers" });
    const { json } = await issue(token, { users_access_group: "Anglers" });
    await issue(token, { users_access_group: "anglers" });
    expect(await remove()).toEqual([
      409,
      "1 user is in this access group and 2 documents name it: move them to another access group first",
    ]);
    await call("removeUser", { token, params: { id: angler.id } });
    await call("archiveDocument", { token, params: { id: json.id } });
    expect(await remove()).toEqual([
      409,
      "2 documents name it (1 in the archive): move them to another access group first",
    ]);
  });

  test("removes a group with removed users only, and frees its name", async () => {
    const { call, token, companyId, group, user, groups, db } = await withCompany();
    const { id } = await group(companyId, "Anglers", { docs: "B:R" });
    const leaver = await user(companyId, { group: "Anglers" });
    await call("removeUser", { token, params: { id: leaver.id } });
    expect((await call("removeAccessGroup", { token, params: { id } })).status).toBe(204);
    expect(names(await groups())).not.toContain("Anglers");
    expect((await call("documentOptions", { token })).json.groups).not.toContain("Anglers");
    const body = { name: "New", email: "new@company.example", staff: "Anglers" };
    expect((await call("createUser", { token, body })).json.errors.staff).toHaveLength(1);
    expect((await call("createAccessGroup", { token, body: { name: "Anglers" } })).status).toBe(201);
    const actions = await db.selectFrom("audit").where("entity_id", "=", id).select("action").execute();
    expect(actions.map(({ action }) => action)).toContain("removed");
    expect((await call("removeAccessGroup", { token, params: { id } })).status).toBe(404);
  });

  test("never removes a group that a user or document gets at the same time", async () => {
    const provider = await testProvider();
    for (let round = 0; round < 5; round++) {
      const { call, token, companyId, group, issue, db } = await withCompany(provider);
      const { id } = await group(companyId, "Anglers", {});
      const body = { name: "New", email: `new-${round}@company.example`, staff: "Anglers" };
      await Promise.all([
        call("removeAccessGroup", { token, params: { id } }),
        issue(token, { users_access_group: "Anglers" }),
        call("createUser", { token, body }),
      ]);
      const { active } = await db
        .selectFrom("access_groups")
        .where("id", "=", id)
        .select("active")
        .executeTakeFirstOrThrow();
      const references = [
        ...(await db.selectFrom("users").where("access_group_id", "=", id).select("id").execute()),
        ...(await db.selectFrom("documents").where("access_group_id", "=", id).select("id").execute()),
      ];
      expect(active === 1 || references.length === 0).toBe(true);
    }
  });
});

suite("GET /documents/{id}/readers", () => {
  test("lists all users who may read the document with their group, and no others", async () => {
    const { call, company, companyId, admin, token, user, branch, group, issue } = await withCompany();
    const other = await company();
    await user(other.id, { name: "Otto Other" });
    const [preston, leeds] = [await branch(companyId, "Preston"), await branch(companyId, "Leeds")];
    await group(companyId, "Own papers", { docs: "P:R/W" });
    await group(companyId, "Nothing", {});
    const people = [
      await user(companyId, { name: "Bea Inspector", group: "Branch Inspector", branchId: preston.id }),
      await user(companyId, { name: "Carl Inspector", group: "Branch Inspector", branchId: leeds.id }),
      await user(companyId, { name: "Dora Accountant", group: "Accountant" }),
      await user(companyId, { name: "Erik Owner", group: "Own papers", branchId: preston.id }),
      await user(companyId, { name: "Fay Colleague", group: "Own papers", branchId: preston.id }),
      await user(companyId, { name: "Gus Nothing", group: "Nothing", branchId: preston.id }),
    ];
    const leaver = await user(companyId, { name: "Lea Leaver", group: "Accountant" });
    await call("removeUser", { token, params: { id: leaver.id } });
    for (const users_access_group of ["Branch staff", "Accountant", "Own papers", "Nothing"]) {
      const { json: document } = await issue(token, { email: people[3]!.email, users_access_group });
      const { json } = await call("listReaders", { token, params: { id: document.id } });
      // The same question put to each of them by themselves.
      const seeing = [];
      for (const { id, token } of [admin, ...people]) {
        if ((await call("getDocument", { token, params: { id: document.id } })).status === 200) seeing.push(id);
      }
      expect(json.map(({ id }: { id: number }) => id).toSorted(), users_access_group).toEqual(seeing.toSorted());
      expect(json).toContainEqual({
        id: people[3]!.id,
        name: "Erik Owner",
        email: people[3]!.email,
        staff: "Own papers",
        docs: "P:R/W",
        owner: true,
      });
    }
  });

  test("pages and filters by name, for readers of the document", async () => {
    const { call, company, companyId, token, user, group, issue } = await withCompany();
    for (const letter of "BCDEF") await user(companyId, { name: `User ${letter}`, group: "Accountant" });
    const { json: document } = await issue(token);
    const params = { id: document.id };
    const { json, headers } = await call("listReaders", { token, params, query: { page: 2, per_page: 4 } });
    expect([names(json), headers.get("x-total-count")]).toEqual([["User E", "User F"], "6"]);
    expect(names((await call("listReaders", { token, params, query: { name: "r c" } })).json)).toEqual(["User C"]);
    await group(companyId, "Own papers", { docs: "P:R" });
    const stranger = await user(companyId, { group: "Own papers" });
    expect((await call("listReaders", { token: stranger.token, params })).status).toBe(404);
    expect((await call("listReaders", { token: (await company()).admin.token, params })).status).toBe(404);
  });
});

suite("GET /access-groups/{id}/members", () => {
  test("lists those of the members whom the caller may see, and not removed ones", async () => {
    const { call, company, branch, group, user } = await testProvider();
    const { id, admin } = await company();
    const { id: branchId } = await branch(id, "Preston");
    const { id: groupId } = await group(id, "Porters", { roles: "C:R", users: "B:R" });
    const near = await user(id, { name: "Nell Near", group: "Porters", branchId });
    await user(id, { name: "Finn Far", group: "Porters" });
    const removedUser = await user(id, { name: "Gus Gone", group: "Porters", branchId });
    await call("removeUser", { token: admin.token, params: { id: removedUser.id } });
    const members = async (token: string) => {
      const { json, headers } = await call("listMembers", { token, params: { id: groupId } });
      return [json.map(({ name }: { name: string }) => name), headers.get("x-total-count")];
    };
    expect(await members(admin.token)).toEqual([["Finn Far", "Nell Near"], "2"]);
    expect(await members(near.token)).toEqual([["Nell Near"], "1"]);
    await group(id, "Readers", { roles: "C:R" });
    expect(await members((await user(id, { group: "Readers" })).token)).toEqual([[], "0"]);
  });
});

suite("GET /suggestions", () => {
  test("has each role and country within reach once, as most users spell it", async () => {
    const { call, company, branch, user } = await testProvider();
    const { id, admin } = await company();
    const { id: branchId } = await branch(id, "Preston");
    for (const role of ["manager", "Manager", "manager", "accountant"]) await user(id, { role });
    await user((await company()).id, { role: "Spy" });
    expect((await call("listSuggestions", { token: admin.token })).json).toEqual({
      roles: ["accountant", "manager"],
      countries: ["United Kingdom"],
    });
    const inspector = await user(id, { group: "Branch Inspector", branchId, role: "Inspector" });
    expect((await call("listSuggestions", { token: inspector.token })).json.roles).toEqual(["Inspector"]);
  });
});
