import { describe, expect, test } from "vitest";
import { hasDatabase, testProvider } from "../testing.ts";

describe.runIf(hasDatabase())("GET /branches", () => {
  test("lists the company's branches with their managers", async () => {
    const { call, company, branch } = await testProvider();
    const { id, admin } = await company();
    const other = await company();
    await branch(other.id, "Elsewhere");
    await branch(id, "Preston", admin.id);
    await branch(id, "Lancaster");
    const { json, headers } = await call("listBranches", { token: admin.token });
    expect(json).toMatchObject([
      { name: "Lancaster", manager: "" },
      { name: "Preston", manager: "Ada Admin", country: "United Kingdom" },
    ]);
    expect(headers.get("x-total-count")).toBe("2");
  });

  test("filters and sorts", async () => {
    const { call, company, branch } = await testProvider();
    const { id, admin } = await company();
    for (const name of ["Preston", "Lancaster", "Liverpool"]) await branch(id, name);
    const { json } = await call("listBranches", { token: admin.token, query: { name: "L", sort: "-name" } });
    expect(json.map(({ name }: { name: string }) => name)).toEqual(["Liverpool", "Lancaster"]);
    expect((await call("listBranches", { token: admin.token, query: { sort: "colour" } })).status).toBe(422);
  });

  test("shows the own branch only to those whose group reaches no further", async () => {
    const { call, company, branch, user } = await testProvider();
    const { id } = await company();
    const { id: branchId } = await branch(id, "Preston");
    await branch(id, "Lancaster");
    const { token } = await user(id, { group: "Branch Inspector", branchId });
    expect((await call("listBranches", { token })).json).toMatchObject([{ name: "Preston" }]);
    expect((await call("listBranches")).status).toBe(401);
  });
});
