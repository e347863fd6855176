import { describe, expect, test } from "vitest";
import { checkedBulkIssue } from "#tests/fixtures/bulk-issues.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());

const hr = { document_type: "Contract", next_number: "HR-2026-00001", restarts: "1" };
const at = (next_number: string, more: object = {}) => ({ ...hr, next_number, ...more });

async function withCompany(now = "2026-11-21T10:00:00Z") {
  const provider = await testProvider();
  provider.clock.now = new Date(now);
  const { id, admin } = await provider.company();
  const add = (range: object) => provider.call("createNumberRange", { token: admin.token, body: range });
  const issued = async (fields: Record<string, unknown> = {}, token = admin.token) => {
    const { status, json } = await provider.issue(token, {
      document_type: "Contract",
      document_subtype: "Lease",
      ...fields,
    });
    return status === 201 ? json.number : json.errors?.number?.[0];
  };
  const ranges = async () => (await provider.call("listNumberRanges", { token: admin.token })).json;
  return { ...provider, companyId: id, admin, add, issued, ranges };
}

suite("GET /number-ranges", () => {
  test("lists the closest range first, each with its next number", async () => {
    const { add, branch, companyId, ranges } = await withCompany();
    const { id } = await branch(companyId, "Preston");
    await add({ next_number: "D00001" });
    await add({ branch_id: id, next_number: "P001" });
    await add(at("HR-2026-00042"));
    await add(at("2026/HRP/7", { branch_id: id }));
    expect(
      (await ranges()).map(({ next_number, branch }: { next_number: string; branch: unknown }) => [
        next_number,
        branch,
      ]),
    ).toEqual([
      ["2026/HRP/7", "Preston"],
      ["HR-2026-00042", ""],
      ["P001", "Preston"],
      ["D00001", ""],
    ]);
  });
});

suite("POST /number-ranges", () => {
  test("numbers documents of its type from then on, and others as before", async () => {
    const { add, issued } = await withCompany();
    expect(await issued()).toMatch(/^NM-/);
    expect((await add(at("HR-2026-00042"))).json).toMatchObject({
      id: expect.any(Number),
      next_number: "HR-2026-00042",
    });
    expect([await issued(), await issued()]).toEqual(["HR-2026-00042", "HR-2026-00043"]);
    expect(await issued({ document_type: "Permit", document_subtype: "Work" })).toMatch(/^NM-/);
    expect(await issued({ number: "Typed" })).toBe("Typed");
    expect(await issued()).toBe("HR-2026-00044");
  });

  test("numbers by the owner’s branch, the closest range first", async () => {
    const { add, issued, branch, user, companyId } = await withCompany();
    const [preston, leeds] = [await branch(companyId, "Preston"), await branch(companyId, "Leeds")];
    await add({ next_number: "ALL-00001" });
    await add({ branch_id: preston.id, next_number: "PR-00001" });
    await add({ ...hr, branch_id: preston.id });
    const [ofPreston, ofLeeds] = [
      await user(companyId, { branchId: preston.id }),
      await user(companyId, { branchId: leeds.id }),
    ];
    expect(await issued({ email: ofPreston.email })).toBe("HR-2026-00001");
    const permit = { document_type: "Permit", document_subtype: "Work" };
    expect(await issued({ email: ofPreston.email, ...permit })).toBe("PR-00001");
    expect(await issued({ email: ofLeeds.email })).toBe("ALL-00001");
  });

  test("skips numbers that documents have, also those that are only read alike", async () => {
    const { add, issued } = await withCompany();
    for (const number of ["HR-2026-00001", "hr 2026 0OOO2", "HR-2026-00004"])
      expect(await issued({ number })).toBe(number);
    expect((await add(hr)).json.next_number).toBe("HR-2026-00003");
    expect([await issued(), await issued()]).toEqual(["HR-2026-00003", "HR-2026-00005"]);
  });

  test("begins with 1 in a new year by the company’s time zone, or counts on", async () => {
    const { add, issued, clock, ranges } = await withCompany("2026-12-31T23:00:00Z");
    await add(at("HR-2026-00007"));
    await add({ document_type: "Permit", next_number: "P2026-07" });
    const permit = { document_type: "Permit", document_subtype: "Work" };
    expect([await issued(), await issued(permit)]).toEqual(["HR-2026-00007", "P2026-07"]);
    clock.now = new Date("2027-01-01T00:00:00Z");
    expect((await ranges()).map(({ next_number }: { next_number: string }) => next_number)).toEqual([
      "HR-2027-00001",
      "P2027-08",
    ]);
    expect([await issued(), await issued(permit), await issued()]).toEqual([
      "HR-2027-00001",
      "P2027-08",
      "HR-2027-00002",
    ]);
  });

  test("has longer numbers once its digits do not suffice", async () => {
    const { add, issued } = await withCompany();
    await add({ next_number: "N9" });
    expect([await issued(), await issued()]).toEqual(["N9", "N10"]);
  });

  test("leaves no gap when issuing fails, and counts one document for a request sent twice", async () => {
    const { add, issue, issued, admin } = await withCompany();
    await add(hr);
    const draft = { document_type: "Contract", document_subtype: "Lease" };
    expect((await issue(admin.token, { ...draft, email: "nobody@company.example" })).status).toBe(422);
    expect((await issue(admin.token, draft, [])).status).toBe(422);
    const twice = [1, 2].map(() => issue(admin.token, draft, undefined, { "idempotency-key": "k" }));
    const [one, other] = await Promise.all(twice);
    expect(one!.json.number).toBe(other!.json.number);
    expect(await issued()).toBe("HR-2026-00002");
  });

  test("gives no number twice and leaves none out with four at once", async () => {
    const { add, issued } = await withCompany();
    await add(hr);
    const worker = async () => {
      const numbers: string[] = [];
      for (let n = 0; n < 10; n++) numbers.push(await issued());
      return numbers;
    };
    const numbers = (await Promise.all([worker(), worker(), worker(), worker()])).flat();
    const all = Array.from({ length: 40 }, (_, n) => `HR-2026-${String(n + 1).padStart(5, "0")}`);
    expect(numbers.toSorted()).toEqual(all);
  });

  test("refuses typed numbers that the range will give, in the check before and in tables too", async () => {
    const { add, issued, call, admin } = await withCompany();
    await add(at("HR-2026-00042"));
    const refusal = /is of a number range that is at HR-2026-00042/;
    for (const number of ["HR-2026-00042", "hr/2026/OOO5O", "HR-2026-00999"])
      expect(await issued({ number })).toMatch(refusal);
    for (const number of ["HR-2026-00041", "HR-2025-00050", "HR-2026-50"])
      expect(await issued({ number })).toBe(number);
    const body = { number: "HR-2026-00077", email: admin.email, users_access_group: "Branch staff" };
    expect((await call("checkDocument", { token: admin.token, body })).json.errors.number[0]).toMatch(refusal);
  });

  test("is refused for documents that have a range, and for numbers that another one gives", async () => {
    const { add } = await withCompany();
    await add(hr);
    expect((await add(at("X-2026-1"))).json.errors).toHaveProperty("document_type");
    expect((await add(at("hr2026-1", { document_type: "Permit" }))).json.errors).toHaveProperty("next_number");
    expect((await add({ next_number: "X1", restarts: "1" })).json.errors).toHaveProperty("restarts");
    expect((await add({ next_number: "X1", branch_id: "99" })).json.errors).toHaveProperty("branch_id");
    expect((await add({ next_number: "X" })).json.errors).toHaveProperty("next_number");
  });

  test("counts the rows of a bulk issue in their order, and finds typed numbers that it will give", async () => {
    const { add, call, run, admin, ...provider } = await withCompany();
    await add({ document_type: "Certificate", next_number: "C-01" });
    const rows = ["", "", "C-09", ""].map((number, n) => [number, `Person ${n}`, "a.png"]);
    const { about } = await checkedBulkIssue({ ...provider, call, run }, admin.token, { rows });
    const { json: wrong } = await call("listBulkRows", { ...about, query: { state: "wrong" } });
    expect(wrong).toMatchObject([
      { line: 4, problems: [{ column: "Number", message: expect.stringMatching("at C-01") }] },
    ]);
    await call("startBulkIssue", { ...about, body: { leave_out_wrong: true } });
    await run("bulk issues");
    const { json } = await call("listBulkDocuments", about);
    expect(json.map(({ number, name }: { number: string; name: string }) => [number, name])).toEqual([
      ["C-01", "Person 0"],
      ["C-02", "Person 1"],
      ["C-03", "Person 3"],
    ]);
  });
});

suite("GET /number-ranges/preview", () => {
  test("shows the next numbers and what is skipped, and stores nothing", async () => {
    const { issued, call, admin, ranges } = await withCompany();
    for (const number of ["HR-2026-00001", "HR-2026-00002", "HR-2026-00004"]) await issued({ number });
    const { json } = await call("previewNumberRange", { token: admin.token, query: hr });
    expect(json).toEqual({
      numbers: ["HR-2026-00003", "HR-2026-00005", "HR-2026-00006"],
      next_year: "HR-2027-00001",
    });
    expect(await ranges()).toEqual([]);
  });
});

suite("PUT /number-ranges/{id}", () => {
  test("changes numbers to come, and skips those that were given", async () => {
    const { add, issued, call, admin } = await withCompany();
    const { id } = (await add(hr)).json;
    expect([await issued(), await issued()]).toEqual(["HR-2026-00001", "HR-2026-00002"]);
    const change = (range: object) => call("updateNumberRange", { token: admin.token, params: { id }, body: range });
    expect((await change(hr)).json.next_number).toBe("HR-2026-00003");
    expect((await change(at("PE-2026-001"))).json.next_number).toBe("PE-2026-001");
    expect(await issued()).toBe("PE-2026-001");
    expect((await call("updateNumberRange", { token: admin.token, params: { id: 99 }, body: hr })).status).toBe(404);
  });
});

suite("DELETE /number-ranges/{id}", () => {
  test("leads back to random numbers, and is in the company’s history with the rest", async () => {
    const { add, issued, call, admin } = await withCompany();
    const { id } = (await add(hr)).json;
    await call("updateNumberRange", { token: admin.token, params: { id }, body: at("HR-2026-00005") });
    expect((await call("removeNumberRange", { token: admin.token, params: { id } })).status).toBe(204);
    expect(await issued()).toMatch(/^NM-/);
    const { json } = await call("listAudit", { token: admin.token, query: { action: "number range" } });
    const entries = json.map(({ action, changes }: { action: string; changes: { field: string }[] }) => [
      action,
      changes.map(({ field }) => field),
    ]);
    const all = ["number_range", "document_type", "restarts"];
    expect(entries).toEqual([
      ["number range removed", all],
      ["number range changed", ["number_range"]],
      ["number range added", all],
    ]);
  });
});

suite("GET /document-options", () => {
  test("has the ranges with their next numbers", async () => {
    const { add, call, admin } = await withCompany();
    await add(at("HR-2026-00042"));
    const { json } = await call("documentOptions", { token: admin.token });
    expect(json.number_ranges).toMatchObject([{ document_type: "Contract", branch: "", next_number: "HR-2026-00042" }]);
  });
});
