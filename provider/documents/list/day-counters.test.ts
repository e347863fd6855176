import { beforeAll, describe, expect, test } from "vitest";
import { addDocuments, companyWithLists, signedInAs } from "#tests/fixtures/documents.ts";
import { hasDatabase, type TestProvider, testProvider } from "#tests/fixtures/provider.ts";
import { documentStatuses } from "../../db/tables.ts";
import { countByDay, countedDocuments, countReadableOn, cursorBeforeDay } from "./day-counters.ts";

describe.runIf(hasDatabase())("the counters of days and months", () => {
  let provider: TestProvider;
  let companyId: number;
  const statuses = ["active", "exited"] as const;

  beforeAll(async () => {
    provider = await testProvider();
    const { id, add } = await companyWithLists(provider);
    companyId = id;
    await add(["2025-12-31", "2026-01-01", "2026-01-01", "2026-01-31"].map((date) => ({ date })));
    await add([{ date: "2026-01-01", status: "archived" }]);
  });

  test("count documents by status and between dates", async () => {
    const count = (between: object) => countedDocuments(provider.db, { companyId, statuses, ...between });
    expect(await count({})).toBe(4);
    expect(await count({ from: "2026-01-01" })).toBe(3);
    expect(await count({ from: "2026-01-01", to: "2026-01-01" })).toBe(2);
    expect(await count({ to: "2025-12-30" })).toBe(0);
    expect(await count({ statuses: ["archived"] })).toBe(1);
  });

  test.each([
    ["newest first", true, ["2026-01-31 0", "2026-01-01 0", "2026-01-01 1", "2025-12-31 0", undefined]],
    ["oldest first", false, ["2025-12-31 0", "2026-01-01 0", "2026-01-01 1", "2026-01-31 0", undefined]],
  ])("tell the day of any row, %s", async (_, isDescending, expected) => {
    const days = await Promise.all(
      [0, 1, 2, 3, 4].map(async (skip) => {
        const order = { column: "date", isDescending } as const;
        const [whole, bounded] = [
          await cursorBeforeDay(provider.db, { companyId, statuses }, order, skip),
          await cursorBeforeDay(provider.db, { companyId, statuses, from: "2025-01-01" }, order, skip),
        ];
        expect(bounded).toEqual(whole);
        return whole && `${whole.cursor.key} ${whole.skip}`;
      }),
    );
    expect(days).toEqual(expected);
  });

  test("are of the documents about which a user may read alerts", async () => {
    const { id, admin } = await companyWithLists(provider);
    const [near, far] = [await provider.branch(id, "Near"), await provider.branch(id, "Far")];
    const { id: secret } = await provider.group(id, "Secret", {});
    const readersByScope = { "B:R": ["clerk", near.id], "C:R": ["member", far.id], "P:R": ["owner", near.id] } as const;
    const users = await Promise.all(
      Object.entries(readersByScope).map(async ([alerts, [group, branchId]]) => {
        await provider.group(id, group, { alerts });
        return provider.user(id, { group, branchId });
      }),
    );
    const [inJanuary, later] = ["2026-01-01", "2026-02-01"];
    await addDocuments(provider, id, admin.id, [
      { date: inJanuary, branch_id: near.id },
      { date: inJanuary, branch_id: near.id, status: "archived" },
      { date: inJanuary, branch_id: near.id, access_group_id: secret },
      { date: inJanuary, branch_id: far.id },
      { date: later, branch_id: near.id },
    ]);
    for (const user of users) {
      const own = [{ branch_id: near.id }, { branch_id: far.id, access_group_id: secret }];
      await addDocuments(
        provider,
        id,
        user.id,
        own.map((fields) => ({ ...fields, date: inJanuary })),
      );
    }
    const counted = async (token: string, date: string) =>
      countReadableOn(provider.db, await signedInAs(provider, token), date);
    // Near ones of all three, and the own ones that are far and secret.
    const expected = [2 + 3 + 1, 3 + 3 + 1, 2];
    for (const [n, { token }] of users.entries()) expect(await counted(token, inJanuary)).toBe(expected[n]);
    expect([await counted(users[0]!.token, later), await counted(users[2]!.token, later)]).toEqual([1, 0]);
    expect(await countByDay(provider.db, { companyId: id, statuses: documentStatuses, from: inJanuary })).toEqual([
      { day: inJanuary, count: 10 },
      { day: later, count: 1 },
    ]);
  });
});
