import { userForm } from "#tests/fixtures/forms.ts";
import { describe, expect, test } from "vitest";
import { hasDatabase, password, testProvider } from "#tests/fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());

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
    const form = (of: { name: string; email: string }, more: object) => ({
      ...userForm,
      ...of,
      staff: "Office",
      ...more,
    });
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
    const added = { ...userForm, branch: "Leeds", staff: "Office" };
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
    const form = { ...userForm, name: owner.name, email: owner.email, staff: "Owners", branch: "Lancaster" };
    return {
      ...provider,
      id,
      admin,
      owner,
      clerk,
      reads: async () => (await call("getDocument", { token: clerk.token, params: { id: document.id } })).status,
      change: (more: object) => call("updateUser", { token: clerk.token, params, body: { ...form, ...more } }),
      invite: () => call("inviteUser", { token: clerk.token, params }),
      reactivate: () => call("reactivateUser", { token: clerk.token, params }),
      forgetPassword: () => db.updateTable("users").set({ password_hash: null }).where("id", "=", owner.id).execute(),
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
      const { reads, change, invite, reactivate, remove, mails, call, admin, owner } = await owned(permissions, hide);
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
      const back = await reactivate();
      expect([back.status, back.json.message]).toEqual([
        403,
        "This user may see or do more than you: ask an administrator to reactivate them",
      ]);
      expect((await call("getUser", { token: admin.token, params: { id: owner.id } })).json).toMatchObject({
        active: false,
        email: owner.email,
      });
    },
  );

  test.each(Object.entries(colleagues))(
    "is for administrators though the user owns a document that %s",
    async (_, { permissions, hide }) => {
      const { call, admin, owner, forgetPassword } = await owned(permissions, hide);
      const body = {
        ...userForm,
        name: owner.name,
        email: owner.email,
        staff: "Owners",
        branch: "Lancaster",
        ...secret,
      };
      expect((await call("updateUser", { token: admin.token, params: { id: owner.id }, body })).status).toBe(200);
      await forgetPassword();
      expect((await call("inviteUser", { token: admin.token, params: { id: owner.id } })).status).toBe(200);
    },
  );

  test("needs the right to read what the user owns", async () => {
    const { change, invite, forgetPassword, db, clerk } = await owned(
      { docs: "B:R/W/C", users: "B:R/W/C" },
      "another branch",
    );
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
    await forgetPassword();
    expect((await invite()).status).toBe(200);
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
      const body = { ...userForm, name: peer.name, email: peer.email, staff: "Office", ...secret };
      return call("updateUser", { token, params: { id: peer.id }, body });
    };
    drafts.add(peer.id);
    expect((await change(clerk.token)).json.errors).toEqual({ password: [moreThanYou] });
    expect((await change(admin.token)).status).toBe(200);
    drafts.clear();
    expect((await change(clerk.token)).status).toBe(200);
  });
});
