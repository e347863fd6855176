import { describe, expect, test } from "vitest";
import { createResetSender } from "../sessions/resets.ts";
import { hasDatabase, password, testProvider, type TestProvider } from "#fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());
const passwords = { password, password_confirmation: password };

suite("GET /users", () => {
  test("is the signed-in user, with company, plan, usage and permissions", async () => {
    const { call, company } = await testProvider();
    const { admin, name } = await company();
    const { json } = await call("currentUser", { token: admin.token });
    expect(json).toMatchObject({
      id: admin.id,
      company: { name, timezone: "Europe/London" },
      plan: { name: "SilverState 1" },
      usage: { documents: 0, pages: 0, max_pages: 5000 },
      permissions: { docs: "C:R/W/C", roles: "C:R/W/C" },
    });
  });

  test("needs a valid token", async () => {
    const { call } = await testProvider();
    expect((await call("currentUser")).status).toBe(401);
    expect((await call("currentUser", { token: "made-up" })).json).toEqual({ message: "Sign in first" });
  });

  test("is closed to a removed user", async () => {
    const { call, company, user, db } = await testProvider();
    const { id } = await company();
    const { id: userId, token } = await user(id);
    await db.updateTable("users").set({ active: 0 }).where("id", "=", userId).execute();
    expect((await call("currentUser", { token })).status).toBe(401);
  });
});

suite("GET /company/users", () => {
  const names = (rows: { name: string }[]) => rows.map(({ name }) => name);

  test("lists the company's users only, by name", async () => {
    const { call, company, user } = await testProvider();
    const { id, admin } = await company();
    const other = await company();
    await user(other.id, { name: "Otto Other" });
    await user(id, { name: "Émile Zola" });
    await user(id, { name: "bea Brown" });
    const { json, headers } = await call("listUsers", { token: admin.token });
    expect(new Set(names(json))).toEqual(new Set(["Ada Admin", "bea Brown", "Émile Zola"]));
    expect(names(json).slice(0, 2)).toEqual(["Ada Admin", "bea Brown"]);
    expect(headers.get("x-total-count")).toBe("3");
  });

  test("filters by part of each field, ignoring case, accents included", async () => {
    const { call, company, user, branch } = await testProvider();
    const { id, admin } = await company();
    const { id: branchId } = await branch(id, "Preston");
    await user(id, { name: "Émile Zola", role: "Manager", branchId });
    await user(id, { name: "Bea Brown", role: "Accountant" });
    const find = async (query: Record<string, string>) =>
      names((await call("listUsers", { token: admin.token, query })).json);
    expect(await find({ name: "ÉMILE" })).toEqual(["Émile Zola"]);
    expect(await find({ role: "COUNT" })).toEqual(["Bea Brown"]);
    expect(await find({ branch: "rest" })).toEqual(["Émile Zola"]);
    expect(await find({ name: "100%" })).toEqual([]);
    expect(await find({ name: "_" })).toEqual([]);
  });

  test("comes in pages", async () => {
    const { call, company, user } = await testProvider();
    const { id, admin } = await company();
    for (const letter of "BCDEFG") await user(id, { name: `User ${letter}` });
    const { json, headers } = await call("listUsers", { token: admin.token, query: { page: 2, per_page: 3 } });
    expect(names(json)).toEqual(["User D", "User E", "User F"]);
    expect(headers.get("x-total-count")).toBe("7");
    const { status } = await call("listUsers", { token: admin.token, query: { page: 0, per_page: 1000 } });
    expect(status).toBe(422);
  });

  test("is within the access group's scope", async () => {
    const { call, company, user, branch, group } = await testProvider();
    const { id } = await company();
    const { id: branchId } = await branch(id, "Preston");
    await group(id, "Branch users", { users: "B:R" });
    await group(id, "Own user", { users: "P:R" });
    await group(id, "Nothing", {});
    const inBranch = await user(id, { name: "Bea Branch", group: "Branch users", branchId });
    const own = await user(id, { name: "Olga Own", group: "Own user", branchId });
    const nobody = await user(id, { name: "Nora None", group: "Nothing", branchId });
    expect(names((await call("listUsers", { token: inBranch.token })).json)).toEqual([
      "Bea Branch",
      "Nora None",
      "Olga Own",
    ]);
    expect(names((await call("listUsers", { token: own.token })).json)).toEqual(["Olga Own"]);
    expect((await call("listUsers", { token: nobody.token })).status).toBe(403);
  });
});

const given = {
  name: "Nora New",
  email: "nora@company.example",
  phone: "0161 496 0000",
  role: "Clerk",
  country: "United Kingdom",
  city: "Preston",
  index: "PR1 3NA",
  branch: "",
  staff: "Accountant",
  info: "Two\nlines",
};

suite("GET /users/{id}", () => {
  test("shows a user in scope; others are not found", async () => {
    const { call, company, branch, user, group } = await testProvider();
    const { id, admin } = await company();
    const { id: branchId } = await branch(id, "Preston");
    const inside = await user(id, { branchId });
    await group(id, "Of the branch", { users: "B:R" });
    const reader = await user(id, { group: "Of the branch", branchId });
    expect((await call("getUser", { token: reader.token, params: { id: inside.id } })).json.branch).toBe("Preston");
    expect((await call("getUser", { token: reader.token, params: { id: admin.id } })).status).toBe(404);
    const other = await company();
    expect((await call("getUser", { token: other.admin.token, params: { id: inside.id } })).status).toBe(404);
  });
});

suite("POST /users", () => {
  test("adds a user and mails an invitation to set the password", async () => {
    const { call, company, branch, mails } = await testProvider();
    const { id, admin } = await company();
    await branch(id, "Preston");
    const { status, json } = await call("createUser", { token: admin.token, body: { ...given, branch: "preston" } });
    expect([status, json.branch, json.staff, json.info]).toEqual([201, "Preston", "Accountant", "Two\nlines"]);
    expect(mails.map(({ to }) => to)).toEqual([given.email]);
    const token = /token=(\S+)/.exec(mails[0]!.text)![1]!;
    const body = { password, password_confirmation: password };
    expect((await call("signup", { token, body })).json.user.name).toBe("Nora New");
    expect((await call("login", { body: { email: given.email, password } })).status).toBe(200);
  });

  test("needs the right to create, within its scope", async () => {
    const { call, company, group, user, branch } = await testProvider();
    const { id } = await company();
    const [preston] = [await branch(id, "Preston"), await branch(id, "Leeds")];
    await group(id, "Adders", { users: "B:R/C", docs: "B:R" });
    await group(id, "Adders everywhere", { users: "C:R/C" });
    await group(id, "Adders of themselves", { users: "P:R/W/C" });
    await group(id, "Readers", { users: "B:R" });
    const add = async (groupName: string, branchName: string, branchId?: number) => {
      const { token } = await user(id, { group: groupName, ...(branchId && { branchId }) });
      const email = `${Math.random()}@company.example`;
      const { status } = await call("createUser", {
        token,
        body: { ...given, email, staff: "Readers", branch: branchName },
      });
      return status;
    };
    expect(await add("Adders", "Preston", preston.id)).toBe(201);
    expect(await add("Adders", "Leeds", preston.id)).toBe(422);
    expect(await add("Adders", "", preston.id)).toBe(422);
    expect(await add("Adders", "")).toBe(422);
    expect(await add("Adders everywhere", "Leeds", preston.id)).toBe(201);
    expect(await add("Adders everywhere", "")).toBe(201);
    expect(await add("Adders of themselves", "Preston", preston.id)).toBe(403);
    expect(await add("Readers", "Preston", preston.id)).toBe(403);
  });

  test("accepts a password instead, and refuses a weak one", async () => {
    const { call, company, mails } = await testProvider();
    const { admin } = await company();
    const create = (password: string, password_confirmation = password) =>
      call("createUser", { token: admin.token, body: { ...given, password, password_confirmation } });
    expect((await create("aaaaaaaaaaaa")).json.errors.password).toHaveLength(1);
    expect((await create(password, "another")).json.errors.password_confirmation).toHaveLength(1);
    expect((await create(password)).status).toBe(201);
    expect(mails).toEqual([]);
    expect((await call("login", { body: { email: given.email, password } })).status).toBe(200);
  });

  test("refuses an address taken at any company, without saying which", async () => {
    const { call, company } = await testProvider();
    const [one, two] = [await company(), await company()];
    const body = { ...given, email: one.admin.email.toUpperCase() };
    const answer = await call("createUser", { token: two.admin.token, body });
    expect(answer.json.errors).toEqual({ email: ["This email address is already used: enter another"] });
  });

  test("gives a user no more rights than the actor has", async () => {
    const { call, company, group, user, branch } = await testProvider();
    const { id } = await company();
    const [preston] = [await branch(id, "Preston"), await branch(id, "Leeds")];
    await group(id, "Recruiters", { users: "B:R/W/C", docs: "B:R" });
    const { token } = await user(id, { group: "Recruiters", branchId: preston.id });
    const create = (change: object) =>
      call("createUser", { token, body: { ...given, staff: "Recruiters", branch: "Preston", ...change } });
    expect((await create({ staff: "Administrator" })).json.errors.staff).toHaveLength(1);
    expect((await create({ branch: "Leeds" })).json.errors.branch).toHaveLength(1);
    expect((await create({ staff: "Nobody", branch: "Nowhere" })).status).toBe(422);
    expect((await create({})).status).toBe(201);
  });
});

suite("PUT /users/{id}", () => {
  test("protects the credentials of users with more rights", async () => {
    const { call, company, group, user, db } = await testProvider();
    const { id, admin } = await company();
    await group(id, "Staff office", { users: "C:R/W/C" });
    const { token } = await user(id, { group: "Staff office" });
    const before = await db.selectFrom("users").where("id", "=", admin.id).selectAll().executeTakeFirstOrThrow();
    const change = (more: object) => {
      const body = { ...given, email: admin.email, staff: "Administrator", ...more };
      return call("updateUser", { token, params: { id: admin.id }, body });
    };
    const secret = { password, password_confirmation: password };
    expect((await change({ email: "mine@company.example", ...secret })).json.errors).toEqual({
      email: ["Leave this as it is: this user may see or do more than you"],
      password: ["Leave this as it is: this user may see or do more than you"],
    });
    const kept = await db.selectFrom("users").where("id", "=", admin.id).selectAll().executeTakeFirstOrThrow();
    expect(kept).toEqual(before);
    expect((await change({ phone: "1" })).json.phone).toBe("1");
  });

  test("ignores company, group, branch and flags beside the form’s fields", async () => {
    const { call, company, group, user, db } = await testProvider();
    const [{ id, admin }, other] = [await company(), await company()];
    await group(id, "Own data", { users: "P:R/W" });
    const own = await user(id, { group: "Own data" });
    const before = await db.selectFrom("users").where("id", "=", own.id).selectAll().executeTakeFirstOrThrow();
    const { access_group_id } = await db
      .selectFrom("users")
      .where("id", "=", admin.id)
      .select("access_group_id")
      .executeTakeFirstOrThrow();
    const smuggled = {
      id: admin.id,
      company_id: other.id,
      access_group_id,
      staff_id: access_group_id,
      permissions: { roles: "C:R/W/C" },
      active: true,
      password_hash: "x",
      created_at: "1970-01-01",
    };
    const body = { ...given, email: own.email, staff: "Own data" };
    const answer = await call("updateUser", {
      token: own.token,
      params: { id: own.id },
      body: { ...body, ...smuggled },
    });
    expect([answer.status, answer.json.name]).toEqual([200, "Nora New"]);
    const { company_id, password_hash, active, created_at, ...after } = await db
      .selectFrom("users")
      .where("id", "=", own.id)
      .selectAll()
      .executeTakeFirstOrThrow();
    expect({ company_id, password_hash, active, created_at }).toEqual({
      company_id: before.company_id,
      password_hash: before.password_hash,
      active: 1,
      created_at: before.created_at,
    });
    expect(after.access_group_id).toBe(before.access_group_id);
    const raise = (more: object) =>
      call("updateUser", { token: own.token, params: { id: own.id }, body: { ...body, ...more } });
    expect((await raise({ staff: "Administrator" })).json.errors.staff).toHaveLength(1);
    for (const version of ["0", "-1", "1e309", "2 ", "x"]) {
      expect([version, (await raise({ version })).status]).toEqual([version, version === "2 " ? 200 : 422]);
    }
    expect((await raise({ version: 1 })).status).toBe(409);
  });

  test("lets exactly one of the last two administrators demote the other at the same time", async () => {
    const provider = await testProvider();
    const { call, db } = provider;
    for (let round = 0; round < 10; round++) {
      const both = await twoAdministrators(provider);
      const demote = (from: Party, other: Party) =>
        call("updateUser", {
          token: from.token,
          params: { id: other.id },
          body: { ...given, email: other.email, staff: "Accountant" },
        });
      const answers = await Promise.all([demote(both.one, both.two), demote(both.two, both.one)]);
      // The second one must leave an administrator, or has lost the right already.
      const statuses = answers.map(({ status }) => status).toSorted();
      expect(statuses[0]).toBe(200);
      expect([403, 422]).toContain(statuses[1]);
      expect(await administratorsOf(db, both.companyId)).toBe(1);
    }
  });

  test("changes a user and audits it without the password", async () => {
    const { call, company, user, db } = await testProvider();
    const { id, admin } = await company();
    const { id: userId, token } = await user(id);
    const body = { ...given, version: 1, password, password_confirmation: password };
    const answer = await call("updateUser", { token: admin.token, params: { id: userId }, body });
    expect(answer.json).toMatchObject({ name: "Nora New", staff: "Accountant", version: 2 });
    expect((await call("currentUser", { token })).status).toBe(401);
    const noted = await db.selectFrom("audit").where("entity_id", "=", userId).orderBy("id").selectAll().execute();
    expect(noted.map(({ action }) => action)).toEqual(["changed", "password changed"]);
    expect(JSON.stringify(noted)).not.toContain(password);
  });

  test("refuses an outdated version, and the demotion of the last administrator", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    const change = (more: object) =>
      call("updateUser", { token: admin.token, params: { id: admin.id }, body: { ...given, ...more } });
    expect((await change({ staff: "Administrator", version: 1 })).status).toBe(200);
    expect((await change({ staff: "Administrator", version: 1 })).status).toBe(409);
    expect((await change({ staff: "Accountant" })).json.errors.staff).toHaveLength(1);
  });

  test("needs the right to write; not found without the right to read", async () => {
    const { call, company, user } = await testProvider();
    const { id, admin } = await company();
    const { token } = await user(id, { group: "Accountant" });
    const sent = { params: { id: admin.id }, body: given };
    expect((await call("updateUser", { token, ...sent })).status).toBe(403);
    expect((await call("updateUser", { token: (await company()).admin.token, ...sent })).status).toBe(404);
  });
});

type Party = { id: number; email: string; token: string };

/** A company with two administrators. */
async function twoAdministrators({ company, user }: TestProvider) {
  const { id: companyId, admin } = await company();
  return { companyId, one: admin, two: await user(companyId, { name: "Bob Admin" }) };
}

async function administratorsOf(db: TestProvider["db"], companyId: number) {
  const administrators = await db
    .selectFrom("users")
    .innerJoin("access_groups", "access_groups.id", "users.access_group_id")
    .where("users.company_id", "=", companyId)
    .where("users.active", "=", 1)
    .where("access_groups.roles", "=", "C:R/W/C")
    .select("users.id")
    .execute();
  return administrators.length;
}

suite("PUT /users/{id}, by a user who is no administrator", () => {
  /** A company with documents that name a group, and a user who may change users and read a branch's documents. */
  async function office() {
    const provider = await testProvider();
    const { id, admin } = await provider.company();
    const [preston, leeds] = [await provider.branch(id, "Preston"), await provider.branch(id, "Leeds")];
    await provider.group(id, "Office", { users: "C:R/W/C", docs: "B:R", branches: "C:R" });
    await provider.group(id, "Board", { docs: "B:R" });
    await provider.issue(admin.token, { users_access_group: "Board" });
    const clerk = await provider.user(id, { group: "Office", branchId: preston.id, name: "Cleo Clerk" });
    const form = (of: { name: string; email: string }, more: object) => ({ ...given, ...of, staff: "Office", ...more });
    const change = async (of: { id: number; name: string; email: string }, more: object) =>
      (await provider.call("updateUser", { token: clerk.token, params: { id: of.id }, body: form(of, more) })).json
        .errors;
    return { ...provider, id, admin, preston, leeds, clerk, change };
  }

  test("moves no user, nor themselves, to gain rights", async () => {
    const { call, clerk, change, user, id, preston, leeds } = await office();
    expect(await change(clerk, { branch: "Leeds" })).toHaveProperty("branch");
    expect(await change(clerk, { branch: "Preston", staff: "Board" })).toHaveProperty("staff");
    const peer = await user(id, { group: "Office", branchId: preston.id, name: "Pia Peer" });
    expect(await change(peer, { branch: "Leeds" })).toHaveProperty("branch");
    expect(await change(peer, { branch: "Preston", staff: "Board" })).toHaveProperty("staff");
    const move = { token: clerk.token, params: { id: leeds.id } };
    expect((await call("addUserToBranch", { ...move, body: { user: clerk.email } })).status).toBe(403);
    const added = { ...given, branch: "Leeds", staff: "Office" };
    expect((await call("createUser", { token: clerk.token, body: added })).json.errors).toHaveProperty("staff");
    expect((await call("createUser", { token: clerk.token, body: { ...added, branch: "Preston" } })).status).toBe(201);
  });

  test("sets no password or address of users with more rights, nor their own password", async () => {
    const { clerk, change, user, id, preston, leeds } = await office();
    const secret = { password, password_confirmation: password };
    const far = await user(id, { group: "Office", branchId: leeds.id, name: "Fay Far" });
    expect(await change(far, { branch: "Leeds", ...secret })).toHaveProperty("password");
    expect(await change(far, { branch: "Leeds", email: "clerk@company.example" })).toHaveProperty("email");
    const board = await user(id, { group: "Board", branchId: preston.id, name: "Bo Board" });
    expect(await change(board, { branch: "Preston", staff: "Board", ...secret })).toHaveProperty("password");
    expect(await change(clerk, { branch: "Preston", ...secret })).toHaveProperty("password");
    const near = await user(id, { group: "Office", branchId: preston.id, name: "Nell Near" });
    expect(await change(near, { branch: "Preston", ...secret })).toBeUndefined();
  });

  test("demotes no administrator", async () => {
    const { call, clerk, change, user, id } = await office();
    const second = await user(id, { name: "Sue Second" });
    expect(await change(second, { branch: "" })).toHaveProperty("staff");
    expect((await call("removeUser", { token: clerk.token, params: { id: second.id } })).status).toBe(403);
  });
});

suite("Setting a user's credentials", () => {
  const secret = { password, password_confirmation: password };
  const moreThanYou = "Leave this as it is: this user may see or do more than you";

  /** A company whose user `owner` owns a document, and a colleague who may change users but not read it. */
  async function owned(
    permissions: Record<string, string>,
    hide: "another branch" | "another group",
    owners: Record<string, string> = { docs: "P:R/W/C" },
  ) {
    const provider = await testProvider();
    const { id, admin } = await provider.company();
    const [preston, lancaster] = [await provider.branch(id, "Preston"), await provider.branch(id, "Lancaster")];
    await provider.group(id, "Office", permissions);
    await provider.group(id, "Owners", owners);
    await provider.group(id, "Board", { docs: "C:R" });
    const at = hide === "another branch" ? preston.id : lancaster.id;
    const owner = await provider.user(id, { name: "Val Owner", group: "Owners", branchId: at });
    const named = hide === "another group" && { users_access_group: "Board" };
    const { json: document } = await provider.issue(admin.token, { email: owner.email, ...named });
    await provider.db.updateTable("users").set({ branch_id: lancaster.id }).where("id", "=", owner.id).execute();
    const clerk = await provider.user(id, { name: "Bob Clerk", group: "Office", branchId: lancaster.id });
    const { call, db } = provider;
    const params = { id: owner.id };
    const form = { ...given, name: owner.name, email: owner.email, staff: "Owners", branch: "Lancaster" };
    return {
      ...provider,
      id,
      admin,
      owner,
      clerk,
      reads: async () => (await call("getDocument", { token: clerk.token, params: { id: document.id } })).status,
      change: (more: object) => call("updateUser", { token: clerk.token, params, body: { ...form, ...more } }),
      invite: () => call("inviteUser", { token: clerk.token, params }),
      remove: () => db.updateTable("users").set({ active: 0 }).where("id", "=", owner.id).execute(),
    };
  }

  const colleagues = {
    "names another group": {
      permissions: { docs: "C:R/W/C", users: "C:R/W/C" },
      hide: "another group" as const,
    },
    "is another branch’s": {
      permissions: { docs: "B:R/W/C", users: "B:R/W/C" },
      hide: "another branch" as const,
    },
  };

  test.each(Object.entries(colleagues))(
    "is not for a colleague while the user owns a document that %s",
    async (_, { permissions, hide }) => {
      const { reads, change, invite, remove, mails, call, admin, owner } = await owned(permissions, hide);
      expect(await reads()).toBe(404);
      expect((await change(secret)).json.errors).toEqual({ password: [moreThanYou] });
      expect((await change({ email: "mine@company.example" })).json.errors).toEqual({ email: [moreThanYou] });
      expect((await change({ phone: "1" })).json.phone).toBe("1");
      const invited = await invite();
      expect([invited.status, invited.json.message]).toEqual([
        403,
        "This user may see or do more than you: ask an administrator to invite them",
      ]);
      expect(mails).toEqual([]);
      await remove();
      expect((await change({ active: true, email: "mine@company.example" })).json.errors).toBeDefined();
      expect((await change({ active: true })).json.errors).toHaveProperty("staff");
      expect((await call("getUser", { token: admin.token, params: { id: owner.id } })).json).toMatchObject({
        active: false,
        email: owner.email,
      });
    },
  );

  test.each(Object.entries(colleagues))(
    "is for administrators though the user owns a document that %s",
    async (_, { permissions, hide }) => {
      const { call, admin, owner } = await owned(permissions, hide);
      const body = { ...given, name: owner.name, email: owner.email, staff: "Owners", branch: "Lancaster", ...secret };
      expect((await call("updateUser", { token: admin.token, params: { id: owner.id }, body })).status).toBe(200);
      expect((await call("inviteUser", { token: admin.token, params: { id: owner.id } })).status).toBe(204);
    },
  );

  test("needs the right to read what the user owns", async () => {
    const { change, invite, db, clerk } = await owned({ docs: "B:R/W/C", users: "B:R/W/C" }, "another branch");
    await db.updateTable("documents").set({ branch_id: null }).execute();
    expect((await change(secret)).status).toBe(422);
    await db
      .updateTable("documents")
      .set((eb) => ({
        branch_id: eb.selectFrom("users").where("users.id", "=", clerk.id).select("users.branch_id"),
        status: "archived",
        status_before_archive: "active",
      }))
      .execute();
    expect((await change(secret)).status).toBe(200);
    expect((await invite()).status).toBe(204);
  });

  test("considers the archive as well", async () => {
    const { change, db } = await owned({ docs: "B:R/W/C", users: "B:R/W/C" }, "another branch");
    await db.updateTable("documents").set({ status: "archived", status_before_archive: "active" }).execute();
    expect((await change(secret)).status).toBe(422);
  });

  test.each(["alerts", "map"])(
    "is not for a colleague who reads the user’s documents and not their %s",
    async (area) => {
      const permissions = { docs: "C:R/W/C", users: "C:R/W/C", [area]: "B:R" };
      const { reads, change } = await owned(permissions, "another branch", { docs: "P:R", [area]: "P:R" });
      expect(await reads()).toBe(200);
      expect((await change(secret)).json.errors).toEqual({ password: [moreThanYou] });
    },
  );

  test("is not gained by moving the user to one's own branch", async () => {
    const { call, change, clerk, owner, branch, db, id } = await owned(
      { docs: "B:R/W/C", users: "C:R/W/C", branches: "C:R" },
      "another branch",
    );
    const far = await branch(id, "Far");
    await db.updateTable("users").set({ branch_id: far.id }).where("id", "=", owner.id).execute();
    expect((await change({ branch: "Far", ...secret })).status).toBe(422);
    expect((await change({ branch: "Lancaster", ...secret })).status).toBe(422);
    const home = await db.selectFrom("users").where("id", "=", clerk.id).select("branch_id").executeTakeFirstOrThrow();
    const move = { token: clerk.token, params: { id: home.branch_id! }, body: { user: owner.email } };
    expect((await call("addUserToBranch", move)).status).toBe(200);
    expect((await change(secret)).status).toBe(422);
  });

  test("needs an administrator while the user has drafts", async () => {
    const drafts = new Set<number>();
    const provider = await testProvider({ hasDrafts: async (_, userId) => drafts.has(userId) });
    const { call, company, group, user } = provider;
    const { id, admin } = await company();
    await group(id, "Office", { docs: "C:R/W/C", users: "C:R/W/C" });
    const clerk = await user(id, { name: "Bob Clerk", group: "Office" });
    const peer = await user(id, { name: "Pia Peer", group: "Office" });
    const change = (token: string) => {
      const body = { ...given, name: peer.name, email: peer.email, staff: "Office", ...secret };
      return call("updateUser", { token, params: { id: peer.id }, body });
    };
    drafts.add(peer.id);
    expect((await change(clerk.token)).json.errors).toEqual({ password: [moreThanYou] });
    expect((await change(admin.token)).status).toBe(200);
    drafts.clear();
    expect((await change(clerk.token)).status).toBe(200);
  });
});

suite("PUT /users/{id}, with another address", () => {
  test("revokes the links to the old address", async () => {
    const { call, company, mails } = await testProvider();
    const { admin } = await company();
    const { json } = await call("createUser", { token: admin.token, body: given });
    const link = /token=(\S+)/.exec(mails.at(-1)!.text)![1]!;
    expect((await call("signupLink", { token: link })).status).toBe(200);
    const body = { ...given, email: "norah@company.example" };
    await call("updateUser", { token: admin.token, params: { id: json.id }, body });
    expect((await call("signupLink", { token: link })).status).toBe(401);
  });
});

suite("DELETE /users/{id}", () => {
  test("lets exactly one of the last two administrators remove the other at the same time", async () => {
    const provider = await testProvider();
    const { call, db } = provider;
    for (let round = 0; round < 10; round++) {
      const { one, two, companyId } = await twoAdministrators(provider);
      const remove = (from: Party, other: Party) => call("removeUser", { token: from.token, params: { id: other.id } });
      const [first, second] = await Promise.all([remove(one, two), remove(two, one)]);
      // The second one must leave an administrator, or is no longer signed in.
      const refused = first.status === 204 ? second : first;
      expect([first.status, second.status].filter((status) => status === 204)).toHaveLength(1);
      expect([401, 409]).toContain(refused.status);
      expect(await administratorsOf(db, companyId)).toBe(1);
    }
  });

  test("revokes their sessions; their records stay", async () => {
    const { call, company, user, issue } = await testProvider();
    const { id, admin } = await company();
    const leaver = await user(id, { name: "Lea Leaver" });
    const { json } = await issue(leaver.token);
    expect((await call("removeUser", { token: admin.token, params: { id: leaver.id } })).status).toBe(204);
    expect((await call("currentUser", { token: leaver.token })).status).toBe(401);
    expect((await call("getUser", { token: admin.token, params: { id: leaver.id } })).json.active).toBe(false);
    const reader = await user(id, { group: "Accountant" });
    expect((await call("getUser", { token: reader.token, params: { id: leaver.id } })).status).toBe(404);
    expect((await call("getDocument", { token: admin.token, params: { id: json.id } })).json.user).toBe("Lea Leaver");
  });

  test("refuses oneself and the last administrator", async () => {
    const { call, company, group, user } = await testProvider();
    const { id, admin } = await company();
    expect((await call("removeUser", { token: admin.token, params: { id: admin.id } })).status).toBe(409);
    await group(id, "Staff office", { users: "C:R/W/C" });
    const { token } = await user(id, { group: "Staff office" });
    expect((await call("removeUser", { token, params: { id: admin.id } })).status).toBe(403);
  });
});

suite("PUT /users/{id}, with active", () => {
  test("removes and reactivates, and lists removed users", async () => {
    const { call, company, user } = await testProvider();
    const { id, admin } = await company();
    const { token } = admin;
    const leaver = await user(id, { name: "Lea Leaver", group: "Accountant" });
    const form = { ...given, name: leaver.name, email: leaver.email, staff: "Accountant" };
    const change = (more: object) =>
      call("updateUser", { token, params: { id: leaver.id }, body: { ...form, ...more } });
    const listed = async (active: string) =>
      (await call("listUsers", { token, query: { active } })).json.map(({ name }: { name: string }) => name);
    expect((await change({ active: "0" })).json.active).toBe(false);
    expect((await call("currentUser", { token: leaver.token })).status).toBe(401);
    expect([await listed("1"), await listed("0")]).toEqual([["Ada Admin"], ["Lea Leaver"]]);
    expect((await call("inviteUser", { token, params: { id: leaver.id } })).status).toBe(409);
    expect((await change({ city: "Leeds" })).json).toMatchObject({ active: false, city: "Leeds" });
    expect((await change({ active: "1" })).json.active).toBe(true);
    expect((await call("login", { body: { email: leaver.email, password } })).status).toBe(200);
    const own = { ...given, name: "Ada Admin", email: admin.email, staff: "Administrator", active: "0" };
    expect((await call("updateUser", { token, params: { id: admin.id }, body: own })).status).toBe(409);
  });

  test("requires a new branch for a removed one, and refuses a taken address", async () => {
    const { call, company, branch } = await testProvider();
    const { id, admin } = await company();
    const { token } = admin;
    const { id: branchId } = await branch(id, "Preston");
    const { json: leaver } = await call("createUser", { token, body: { ...given, branch: "Preston" } });
    await call("removeUser", { token, params: { id: leaver.id } });
    await call("removeBranch", { token, params: { id: branchId } });
    const back = (more: object) =>
      call("updateUser", { token, params: { id: leaver.id }, body: { ...given, active: true, ...more } });
    expect((await back({ branch: "Preston" })).json.errors).toHaveProperty("branch");
    await call("createUser", { token, body: given });
    expect((await back({})).json.errors).toHaveProperty("email");
    expect((await back({ email: "nora.two@company.example" })).json.active).toBe(true);
  });
});

suite("POST /users, after a user was removed", () => {
  test("accepts their address again, for them or for another user", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    const { token } = admin;
    const { json: leaver } = await call("createUser", { token, body: given });
    await call("removeUser", { token, params: { id: leaver.id } });
    const { json: back, status } = await call("createUser", {
      token,
      body: { ...given, password, password_confirmation: password },
    });
    expect([status, back.id === leaver.id]).toEqual([201, false]);
    expect((await call("login", { body: { email: given.email, password } })).json.user.id).toBe(back.id);
    expect((await call("createUser", { token, body: given })).status).toBe(422);
  });
});

suite("POST /users/{id}/invitation", () => {
  test("sends a new link and revokes the earlier one", async () => {
    const { call, company, user, mails } = await testProvider();
    const { id, admin } = await company();
    const { id: userId } = await user(id);
    for (let n = 0; n < 2; n++) await call("inviteUser", { token: admin.token, params: { id: userId } });
    const links = mails.map(({ text }) => /token=(\S+)/.exec(text)![1]!);
    expect((await call("signupLink", { token: links[0] })).status).toBe(401);
    expect((await call("signupLink", { token: links[1] })).json.kind).toBe("invitation");
  });
});

suite("invitations", () => {
  const newcomer = { name: "Nora New", email: "nora@company.example", staff: "Accountant" };

  test("to one address are limited by hour and day, and the refusal says so", async () => {
    const { call, company, mails } = await testProvider();
    const { admin } = await company();
    const { json: user } = await call("createUser", { token: admin.token, body: newcomer });
    const invite = () => call("inviteUser", { token: admin.token, params: { id: user.id } });
    expect([(await invite()).status, (await invite()).status]).toEqual([204, 204]);
    const refused = await invite();
    expect(refused.status).toBe(429);
    expect(refused.json.message).toMatch(/^This address has been sent several invitations. Try again in \d+ minutes.$/);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    // Nor by removing and reactivating the user.
    await call("removeUser", { token: admin.token, params: { id: user.id } });
    expect((await call("createUser", { token: admin.token, body: newcomer })).status).toBe(429);
    expect(mails).toHaveLength(3);
    const other = await company();
    expect((await call("createUser", { token: other.admin.token, body: newcomer })).status).toBe(201);
  });

  test.each([
    ["a user", "invitation_inviter_hour", "You have sent many invitations"],
    ["a company", "invitation_company_day", "Your company has sent many invitations"],
  ])("are limited for %s", async (_, limited, words) => {
    const points = (limit: string, usual: number) => (limit === limited ? 3 : usual);
    const { call, company, mails, db } = await testProvider({}, { points });
    const { admin } = await company();
    const add = (n: number) =>
      call("createUser", { token: admin.token, body: { ...newcomer, email: `u${n}@company.example` } });
    // What is refused for another reason does not count.
    for (let n = 0; n < 5; n++) expect((await add(0)).status).toBe(n === 0 ? 201 : 422);
    for (let n = 1; n < 3; n++) expect((await add(n)).status).toBe(201);
    const refused = await add(3);
    expect([refused.status, refused.json.message.startsWith(words)]).toEqual([429, true]);
    expect(mails).toHaveLength(3);
    expect(await db.selectFrom("users").where("email", "=", "u3@company.example").select("id").execute()).toEqual([]);
    expect((await call("createUser", { token: (await company()).admin.token, body: newcomer })).status).toBe(201);
  });

  test("and links are pending once for each user while no mail can be sent", async () => {
    const { call, company, db, services } = await testProvider();
    services.nudgeMail = () => {};
    const { admin } = await company();
    const { json: user } = await call("createUser", { token: admin.token, body: newcomer });
    await call("inviteUser", { token: admin.token, params: { id: user.id } });
    const writeResets = createResetSender(services);
    for (let n = 0; n < 3; n++) {
      await call("forgotPassword", { body: { email: admin.email } });
      await writeResets(new AbortController().signal);
    }
    const waiting = await db.selectFrom("outbox").select(["recipient", "kind"]).orderBy("id").execute();
    expect(waiting).toEqual([
      { recipient: newcomer.email, kind: "invitation" },
      { recipient: admin.email, kind: "reset" },
    ]);
    // The links of those that were replaced are gone as well.
    expect(await db.selectFrom("tokens").where("kind", "=", "reset").selectAll().execute()).toHaveLength(1);
  });
});

suite("a taken email address", () => {
  test("is found by a limited number of tries an hour, at any company", async () => {
    const { call, company, user } = await testProvider();
    const { id, admin } = await company();
    const other = await company();
    const colleague = await user(id);
    const profile = (email: string) =>
      call("updateProfile", { token: admin.token, body: { name: "Ada Admin", email } });
    const change = (email: string) =>
      call("updateUser", {
        token: admin.token,
        params: { id: colleague.id },
        body: { name: colleague.name, email, staff: "Administrator" },
      });
    const add = (email: string) =>
      call("createUser", { token: admin.token, body: { name: "New", email, staff: "Accountant", ...passwords } });
    for (let n = 0; n < 20; n++) {
      const { status, json } = await [profile, change, add][n % 3]!(other.admin.email);
      expect([status, json.errors]).toEqual([422, { email: ["This email address is already used: enter another"] }]);
    }
    for (const attempt of [profile, change, add]) {
      for (const email of [other.admin.email, "free@company.example"]) {
        const refused = await attempt(email);
        expect([refused.status, refused.json.message]).toEqual([
          429,
          expect.stringMatching(
            /^Too many of the email addresses that you tried are used already. Try again in \d+ minutes.$/,
          ),
        ]);
      }
    }
    // What tries no other address goes on.
    expect((await profile(admin.email)).status).toBe(200);
    expect((await change(colleague.email)).status).toBe(200);
  });

  test("does not count where it was free", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    for (let n = 0; n < 25; n++) {
      const body = { name: "Ada Admin", email: `ada${n}@company.example` };
      expect((await call("updateProfile", { token: admin.token, body })).status).toBe(200);
    }
  });
});
