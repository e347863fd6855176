import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "./open-database.ts";

test("a long loop of statements leaves turns to other requests", async () => {
  const directory = await mkdtemp(join(tmpdir(), "sealdesk-turns-"));
  const database = openDatabase({ directory });
  onTestFinished(async () => {
    await database.close();
    await rm(directory, { recursive: true });
  });
  const db = database.tables<Record<string, never>>();
  let turns = 0;
  const others = setInterval(() => turns++, 0);
  onTestFinished(() => clearInterval(others));
  // Each takes some ten milliseconds.
  const slow = sql`with recursive n (n) as (select 1 union all select n + 1 from n where n < 100000) select count(*) from n`;
  for (let n = 0; n < 20; n++) await slow.execute(db);
  expect(turns).toBeGreaterThan(0);
});
