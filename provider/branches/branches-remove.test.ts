import { branchForm } from "#tests/fixtures/forms.ts";
import { describe, expect, test } from "vitest";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());

suite("DELETE /branches/{id}", () => {
  test("is refused while users or documents are there, and names them", async () => {
    const { call, company, branch, user, issue } = await testProvider();
    const { id, admin } = await company();
    const { id: branchId } = await branch(id, "Preston");
    const people = [];
    for (const name of ["Eve", "Bea", "Dan", "Cal"]) people.push(await user(id, { name, branchId }));
    const archived = (await issue(people[0]!.token, { number: "NM-A" })).json;
    await call("archiveDocument", { token: admin.token, params: { id: archived.id } });
    const { json: document } = await issue(people[1]!.token, { number: "NM-B" });
    const remove = () => call("removeBranch", { token: admin.token, params: { id: branchId } });
    const refused = await remove();
    expect([refused.status, refused.json.message]).toEqual([
      409,
      "Preston can’t be removed yet. Move its 4 users (Bea, Cal, Dan and 1 more) first. " +
        "Archive its 1 document (NM-B) first.",
    ]);
    for (const { id } of people) await call("removeUser", { token: admin.token, params: { id } });
    await call("exitDocument", { token: admin.token, params: { id: document.id } });
    expect((await remove()).json.message).toBe("Preston can’t be removed yet. Archive its 1 document (NM-B) first.");
    await call("archiveDocument", { token: admin.token, params: { id: document.id } });
    expect((await remove()).status).toBe(204);
  });

  test("counts users and documents that the caller may not see without naming them", async () => {
    const { call, company, branch, group, user, issue } = await testProvider();
    const { id } = await company();
    const { id: branchId } = await branch(id, "Preston");
    await issue((await user(id, { branchId })).token);
    await group(id, "Branches only", { branches: "C:R/W" });
    const { token } = await user(id, { group: "Branches only" });
    const { json } = await call("removeBranch", { token, params: { id: branchId } });
    expect(json.message).toBe("Preston can’t be removed yet. Move its 1 user first. Archive its 1 document first.");
  });

  test("removes the branch from all lists; archived documents still name it", async () => {
    const { call, company, branch, user, issue, db } = await testProvider();
    const { id, admin } = await company();
    const { id: branchId } = await branch(id, "Preston");
    const leaver = await user(id, { branchId });
    const { json: document } = await issue(leaver.token);
    const on = { token: admin.token, params: { id: document.id } };
    await call("archiveDocument", on);
    await call("removeUser", { token: admin.token, params: { id: leaver.id } });
    const input = { token: admin.token, params: { id: branchId } };
    expect((await call("removeBranch", input)).status).toBe(204);
    expect((await call("getBranch", input)).status).toBe(404);
    expect((await call("removeBranch", input)).status).toBe(404);
    expect((await call("updateBranch", { ...input, body: branchForm })).status).toBe(404);
    expect((await call("addUserToBranch", { ...input, body: { user: admin.id } })).status).toBe(404);
    expect((await call("listBranches", { token: admin.token })).json).toEqual([]);
    const newcomer = { name: "Nora New", email: "nora@company.example", staff: "Accountant", branch: "Preston" };
    expect((await call("createUser", { token: admin.token, body: newcomer })).json.errors).toHaveProperty("branch");
    expect((await call("getDocument", on)).json.branch).toBe("Preston");
    const entry = db.selectFrom("audit").where("entity", "=", "branch").select(["action", "entity_name"]);
    expect(await entry.execute()).toEqual([{ action: "removed", entity_name: "Preston" }]);
  });

  test("moves documents that are restored later to their owner's branch", async () => {
    const { call, company, branch, user, issue } = await testProvider();
    const { id, admin } = await company();
    const [removedBranch, remainingBranch] = [await branch(id, "Preston"), await branch(id, "Leeds")];
    const owner = await user(id, { branchId: removedBranch.id });
    const { json: document } = await issue(owner.token);
    const on = { token: admin.token, params: { id: document.id } };
    await call("archiveDocument", on);
    await call("addUserToBranch", { token: admin.token, params: remainingBranch, body: { user: owner.id } });
    await call("removeBranch", { token: admin.token, params: removedBranch });
    expect((await call("getDocument", on)).json.branch).toBe("Preston");
    expect((await call("restoreDocument", on)).json.branch).toBe("Leeds");
  });

  test("never leaves a user in a removed branch, in either order", { timeout: 120_000 }, async () => {
    const { call, company, branch, user, issue, db } = await testProvider();
    const { id, admin } = await company();
    const { token } = admin;
    const outcomes = new Set<string>();
    for (let round = 0; round < 12; round++) {
      const params = await branch(id, `Branch ${round}`);
      const { id: userId } = await user(id, { name: `User ${round}` });
      const fields = { name: `User ${round}`, email: `u${round}@company.example`, staff: "Accountant" };
      const add = [
        () => call("addUserToBranch", { token, params, body: { user: userId } }),
        () => call("updateUser", { token, params: { id: userId }, body: { ...fields, branch: `Branch ${round}` } }),
        () => call("createUser", { token, body: { ...fields, branch: `Branch ${round}` } }),
      ][round % 3]!;
      // A call with a body looks its user up twice.
      const remove = async () => {
        if (round % 2 === 0) await call("getBranch", { token, params });
        return call("removeBranch", { token, params });
      };
      // Whichever is named first starts first.
      const started = round % 2 === 0 ? { added: add(), removed: remove() } : { removed: remove(), added: add() };
      const [added, removed] = await Promise.all([started.added, started.removed]);
      outcomes.add(removed.status === 204 ? "removed" : "kept");
      expect([added.status < 300, removed.status === 204]).toContain(false);
    }
    const orphans = db
      .selectFrom("users")
      .innerJoin("branches", "branches.id", "users.branch_id")
      .where("users.active", "=", 1)
      .where("branches.active", "=", 0)
      .select("users.name");
    expect(await orphans.execute()).toEqual([]);
    expect(outcomes, "both came first at times").toEqual(new Set(["removed", "kept"]));
    expect((await issue(token)).status).toBe(201);
  });
});
