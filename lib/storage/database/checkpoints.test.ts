import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { openDatabase } from "./open-database.ts";

test("commits reach SQLite's file while its worker has it open", async () => {
  const directory = await mkdtemp(join(tmpdir(), "sealdesk-checkpoints-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const database = await openDatabase({ directory, role: "worker" });
  const db = database.tables<Record<string, never>>();
  await sql`create table noted (text text)`.execute(db);
  await sql`insert into noted values ('committed')`.execute(db);
  const copy = join(directory, "copy.db");
  await vi.waitFor(
    async () => {
      // Without its log.
      await copyFile(join(directory, "sealdesk.db"), copy);
      const alone = new Sqlite(copy);
      onTestFinished(() => void alone.close());
      expect(alone.prepare("select text from noted").pluck().all()).toEqual(["committed"]);
    },
    { timeout: 60_000 },
  );
  await database.close();
});
