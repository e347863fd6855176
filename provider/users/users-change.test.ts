import { userForm } from "#tests/fixtures/forms.ts";
import { describe, expect, test } from "vitest";
import { hasDatabase, password, testProvider, type TestProvider } from "#tests/fixtures/provider.ts";
import { openSession } from "../sessions/tokens.ts";

const suite = describe.runIf(hasDatabase());

suite("PUT /users/{id}", () => {
  test("protects the credentials of users with more rights", async () => {
    const { call, company, group, user, db } = await testProvider();
    const { id, admin } = await company();
    await group(id, "Staff office", { users: "C:R/W/C" });
    const { token } = await user(id, { group: "Staff office" });
    const before = await db.selectFrom("users").where("id", "=", admin.id).selectAll().executeTakeFirstOrThrow();
    const change = (more: object) => {
      const body = { ...userForm, email: admin.email, staff: "Administrator", ...more };
      return call("updateUser", { token, params: { id: admin.id }, body });
    };
    const secret = { password, password_confirmation: password };
    expect((await change({ email: "mine@company.example", ...secret })).json.errors).toEqual({
      email: ["Leave this as it is: this user may see or do more than you"],
      password: ["Leave this as it is: this user may see or do more than you"],
    });
    const storedUser = await db.selectFrom("users").where("id", "=", admin.id).selectAll().executeTakeFirstOrThrow();
    expect(storedUser).toEqual(before);
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
    const body = { ...userForm, email: own.email, staff: "Own data" };
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
          body: { ...userForm, email: other.email, staff: "Accountant" },
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
    const body = { ...userForm, version: 1, password, password_confirmation: password };
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
      call("updateUser", { token: admin.token, params: { id: admin.id }, body: { ...userForm, ...more } });
    expect((await change({ staff: "Administrator", version: 1 })).status).toBe(200);
    expect((await change({ staff: "Administrator", version: 1 })).status).toBe(409);
    expect((await change({ staff: "Accountant" })).json.errors.staff).toHaveLength(1);
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

suite("PUT /users/{id}, with another address", () => {
  test("revokes the links to the old address", async () => {
    const { call, company, mails } = await testProvider();
    const { admin } = await company();
    const { json } = await call("createUser", { token: admin.token, body: userForm });
    const link = /token=(\S+)/.exec(mails.at(-1)!.text)![1]!;
    expect((await call("signupLink", { token: link })).status).toBe(200);
    const body = { ...userForm, email: "norah@company.example" };
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
    const form = { ...userForm, name: leaver.name, email: leaver.email, staff: "Accountant" };
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
    const own = { ...userForm, name: "Ada Admin", email: admin.email, staff: "Administrator", active: "0" };
    expect((await call("updateUser", { token, params: { id: admin.id }, body: own })).status).toBe(409);
  });

  test("requires a new branch for a removed one, and refuses a taken address", async () => {
    const { call, company, branch } = await testProvider();
    const { id, admin } = await company();
    const { token } = admin;
    const { id: branchId } = await branch(id, "Preston");
    const { json: leaver } = await call("createUser", { token, body: { ...userForm, branch: "Preston" } });
    await call("removeUser", { token, params: { id: leaver.id } });
    await call("removeBranch", { token, params: { id: branchId } });
    const back = (more: object) =>
      call("updateUser", { token, params: { id: leaver.id }, body: { ...userForm, active: true, ...more } });
    expect((await back({ branch: "Preston" })).json.errors).toHaveProperty("branch");
    await call("createUser", { token, body: userForm });
    expect((await back({})).json.errors).toHaveProperty("email");
    expect((await back({ email: "nora.two@company.example" })).json.active).toBe(true);
  });
});

suite("POST /users/{id}/reactivate", () => {
  test("opens no session that a sign-in left which the removal overtook, nor does the user’s form", async () => {
    const { call, company, user, db } = await testProvider();
    const { id, admin } = await company();
    const { token } = admin;
    const leaver = await user(id, { name: "Lea Leaver", group: "Accountant" });
    const params = { id: leaver.id };
    const form = { ...userForm, name: leaver.name, email: leaver.email, staff: "Accountant", active: "1" };
    const ways = [
      () => call("reactivateUser", { token, params }),
      () => call("updateUser", { token, params, body: form }),
    ];
    for (const reactivate of ways) {
      await call("removeUser", { token, params });
      const late = await openSession(db, leaver.id, undefined, { now: new Date() });
      expect((await reactivate()).status).toBe(200);
      expect((await call("currentUser", { token: late })).status).toBe(401);
    }
  });

  test("lets a removed user sign in with the old password, once, and is audited as that", async () => {
    const { call, company, user, db, mails } = await testProvider();
    const { id, admin } = await company();
    const leaver = await user(id, { name: "Lea Leaver", group: "Accountant" });
    const input = { token: admin.token, params: { id: leaver.id } };
    await call("removeUser", input);
    const signIn = async () => (await call("login", { body: { email: leaver.email, password } })).status;
    expect(await signIn()).toBe(422);
    for (let n = 0; n < 2; n++) expect((await call("reactivateUser", input)).json).toEqual({ invitation: null });
    expect([await signIn(), mails]).toEqual([200, []]);
    const trail = db.selectFrom("audit").where("entity_id", "=", leaver.id).where("trail", "=", "changes");
    const noted = await trail.orderBy("id").select(["action", "changes"]).execute();
    expect(noted.map(({ action, changes }) => [action, JSON.parse(changes)])).toEqual([
      ["removed", [{ field: "active", before: true, after: false }]],
      ["reactivated", [{ field: "active", before: false, after: true }]],
    ]);
  });

  test("invites a user who never had a password, within the limits of invitations", async () => {
    const { call, company, mails } = await testProvider();
    const { admin } = await company();
    const { json: user } = await call("createUser", { token: admin.token, body: userForm });
    const input = { token: admin.token, params: { id: user.id } };
    const again = async () => {
      await call("removeUser", input);
      return (await call("reactivateUser", input)).status;
    };
    expect([await again(), await again(), await again()]).toEqual([200, 200, 429]);
    expect(mails.map(({ to }) => to)).toEqual([userForm.email, userForm.email, userForm.email]);
    expect((await call("getUser", input)).json.active).toBe(false);
  });

  test("says what to change first if branch, access group or address are gone", async () => {
    const { call, company, branch, group, db } = await testProvider();
    const { id, admin } = await company();
    const { token } = admin;
    const { id: branchId } = await branch(id, "Preston");
    const { id: groupId } = await group(id, "Porters", {});
    const form = { ...userForm, branch: "Preston", staff: "Porters" };
    const { json: leaver } = await call("createUser", { token, body: form });
    const params = { id: leaver.id };
    await call("removeUser", { token, params });
    await call("removeBranch", { token, params: { id: branchId } });
    await call("removeAccessGroup", { token, params: { id: groupId } });
    const refusal = async () => {
      const { status, json } = await call("reactivateUser", { token, params });
      return [status, json.message];
    };
    expect(await refusal()).toEqual([
      409,
      "Edit the user first: their branch Preston and their access group Porters were removed",
    ]);
    await call("updateUser", { token, params, body: { ...form, branch: "", staff: "Accountant" } });
    await call("createUser", { token, body: { ...userForm, name: "Nora Second" } });
    expect(await refusal()).toEqual([
      409,
      "Another user has this email address now: edit the user and enter another one first",
    ]);
    await call("updateUser", { token, params, body: { ...userForm, email: "nora.two@company.example" } });
    expect((await call("reactivateUser", { token, params })).status).toBe(200);
    const { active } = await db
      .selectFrom("users")
      .where("id", "=", leaver.id)
      .select("active")
      .executeTakeFirstOrThrow();
    expect(active).toBe(1);
  });

  test("is refused for a user whose personal data was erased", async () => {
    const { call, company, user } = await testProvider();
    const { id, admin } = await company();
    const input = { token: admin.token, params: { id: (await user(id)).id } };
    await call("removeUser", input);
    await call("eraseUser", input);
    expect((await call("reactivateUser", input)).status).toBe(409);
  });
});
