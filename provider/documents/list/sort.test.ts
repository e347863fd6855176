import { sql } from "kysely";
import { expect, inject, test } from "vitest";
import { companyWithLists, signedInAs } from "#tests/fixtures/documents.ts";
import { testProvider } from "#tests/fixtures/provider.ts";
import { planList } from "./plan.ts";
import { parseSort, sortedIds } from "./sort.ts";
import { tuningFor } from "./tuning.ts";

test.runIf(inject("database") === "sqlite")(
  "documents are looked up by id where SQLite has no statistics of its tables",
  async () => {
    const provider = await testProvider();
    const { admin } = await companyWithLists(provider);
    const { db } = provider;
    const plan = await planList(db, await signedInAs(provider, admin.token), { today: "2026-11-21" }, tuningFor(db));
    for (const order of ["-date", "name", "branch", "user"] as const) {
      const ids = sortedIds(db, plan, { ...parseSort(order), ids: [1, 2, 3], skip: 0, limit: 2 });
      const explained = sql<{ detail: string }>`explain query plan select * from ${ids} as ids`;
      const steps = (await explained.execute(db)).rows.map(({ detail }) => detail);
      expect(steps, order).toContainEqual(expect.stringContaining("documents USING INTEGER PRIMARY KEY"));
    }
  },
);
