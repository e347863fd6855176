import { describe, expect, test } from "vitest";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";

describe.runIf(hasDatabase())("the number of documents in the header", () => {
  test("counts documents that the user may read, with archived ones", async () => {
    const { call, company, branch, group, user, issue } = await testProvider();
    const { id, admin } = await company();
    const [preston, leeds] = [await branch(id, "Preston"), await branch(id, "Leeds")];
    await group(id, "Clerks", { docs: "B:R/W/C" });
    await group(id, "Guests", { users: "C:R" });
    const here = await user(id, { group: "Clerks", branchId: preston.id });
    const there = await user(id, { group: "Clerks", branchId: leeds.id });
    const guest = await user(id, { group: "Guests", branchId: preston.id });
    for (const { token } of [here, there, here]) await issue(token);
    const archived = (await issue(here.token)).json.id;
    await call("archiveDocument", { token: here.token, params: { id: archived } });
    const counted = async ({ token }: { token: string }) => (await call("currentUser", { token })).json.usage;
    expect(await counted(admin)).toMatchObject({ documents: 4, documents_capped: false, pages: 4 });
    expect(await counted(here)).toMatchObject({ documents: 3, pages: 4 });
    expect(await counted(there)).toMatchObject({ documents: 1 });
    expect(await counted(guest)).toMatchObject({ documents: 0 });
  });
});
