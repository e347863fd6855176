import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isInternalTable } from "#lib/storage/database/migrate.ts";
import { openDatabase } from "#lib/storage/database/open-database.ts";
import { listTables } from "#lib/storage/database/rows.ts";
import { derivedTables } from "#provider/db/derived-tables.ts";
import { migrations } from "#provider/db/migrations.ts";
import { companyTables, leftTables } from "./company-tables.ts";

async function allTables() {
  const directory = await mkdtemp(join(tmpdir(), "sealdesk-tables-"));
  const database = await openDatabase({ directory });
  onTestFinished(async () => {
    await database.close();
    await rm(directory, { recursive: true });
  });
  await database.migrate("provider", migrations);
  return (await listTables(database.tables<any>())).filter(({ name }) => !isInternalTable(name));
}

test("each table goes along with a company or is left behind", async () => {
  const names = (await allTables())
    .map(({ name }) => name)
    .filter((name) => !derivedTables.some((one) => one === name));
  expect([...Object.keys(companyTables), ...leftTables].toSorted()).toEqual(names.toSorted());
});

test("each reference of such a table gets the new id, after the row that it refers to", async () => {
  const order = ["seal_roots", ...Object.keys(companyTables)];
  for (const { name, references } of await allTables()) {
    const { owner, ids = {}, later = {}, instead = {} } = companyTables[name] ?? {};
    if (!owner) continue;
    const before = { ...ids, ...(name !== "companies" && { [owner[0]]: owner[1] }) };
    for (const { columns, table } of references) {
      if (table === "tariffs" || Object.hasOwn(instead, columns[0]!)) continue;
      expect({ ...before, ...later }, name).toMatchObject({ [columns[0]!]: table });
    }
    for (const [column, other] of Object.entries(before)) {
      expect(order.indexOf(other), `${name}.${column}`).toBeLessThan(order.indexOf(name));
    }
  }
});
