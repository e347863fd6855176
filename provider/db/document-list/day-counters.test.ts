import { beforeAll, describe, expect, test } from "vitest";
import { companyWithLists } from "#fixtures/documents.ts";
import { hasDatabase, type TestProvider, testProvider } from "#fixtures/provider.ts";
import { countedDocuments, cursorBeforeDay } from "./day-counters.ts";

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
});
