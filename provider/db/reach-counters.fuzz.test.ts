import fc from "fast-check";
import { type Kysely, sql } from "kysely";
import { describe, expect, test } from "vitest";
import { alertOf } from "#tests/fixtures/alerts.ts";
import { addDocuments, signedInAs } from "#tests/fixtures/documents.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { alertsWithin, documentsWithin } from "../access.ts";
import { violations } from "./consistency.ts";
import { rebuildDerivedTables } from "./derived-tables.ts";
import { countOpenAlertsOf, countReadableDocuments } from "./reach-counters.ts";
import { documentStatuses, type Tables } from "./tables.ts";

const nth = fc.nat({ max: 99 });
const reach = fc.record({ branch: nth, group: nth, owner: nth, status: fc.constantFrom(...documentStatuses) });
const change = fc.oneof(
  fc.record({ kind: fc.constant("issue" as const), reach }),
  fc.record({ kind: fc.constant("change" as const), nth, reach }),
  fc.record({ kind: fc.constant("remove" as const), nth }),
  fc.record({ kind: fc.constant("raise" as const), nth }),
  fc.record({ kind: fc.constant("set alert" as const), nth, status: fc.constantFrom(1, 2, 3) }),
  fc.record({ kind: fc.constant("remove alert" as const), nth }),
);

/** The rows of counters that count something, in one order. */
async function countersOf(db: Kysely<Tables>) {
  const read = async (table: string, counted: string) => {
    const rows = sql`select * from ${sql.table(table)} where ${sql.ref(counted)} <> 0
      order by company_id, coalesce(branch_id, 0), coalesce(access_group_id, 0), owner_id, status`;
    return (await rows.execute(db)).rows;
  };
  return [await read("document_reach", "documents"), await read("alert_reach", "alerts")];
}

describe.runIf(hasDatabase())("counters of what each user may read", () => {
  test("equal the rows that they count, after any changes", async () => {
    const provider = await testProvider();
    const { db, company, branch, group, user } = provider;
    const { id: companyId, admin } = await company();
    const branches = [null, (await branch(companyId, "Preston")).id, (await branch(companyId, "Leeds")).id];
    await group(companyId, "Clerks", { docs: "B:R/W/C", alerts: "B:R" });
    await group(companyId, "Auditors", { docs: "C:R", alerts: "C:R" });
    await group(companyId, "Guests", { docs: "P:R", alerts: "P:R" });
    await group(companyId, "Drivers", { users: "C:R" });
    const users = [
      admin,
      await user(companyId, { group: "Clerks", branchId: branches[1]! }),
      await user(companyId, { group: "Clerks", branchId: branches[2]! }),
      await user(companyId, { group: "Auditors" }),
      await user(companyId, { group: "Guests", branchId: branches[1]! }),
      await user(companyId, { group: "Drivers", branchId: branches[1]! }),
    ];
    const actors = await Promise.all(users.map(({ token }) => signedInAs(provider, token)));
    const groups = [null, ...new Set(actors.map((actor) => actor.access_group_id))];
    const of = <T>(values: readonly T[], n: number) => values[n % values.length];
    const idsOf = async (table: "documents" | "alerts") =>
      (await db.selectFrom(table).where("company_id", "=", companyId).select("id").orderBy("id").execute()).map(
        ({ id }) => id,
      );
    const columnsOf = (drawn: { branch: number; group: number; owner: number }) => ({
      branch_id: of(branches, drawn.branch)!,
      access_group_id: of(groups, drawn.group)!,
      owner_id: of(users, drawn.owner)!.id,
    });

    async function make(one: typeof change extends fc.Arbitrary<infer Change> ? Change : never) {
      if (one.kind === "issue") {
        const { owner_id, ...columns } = columnsOf(one.reach);
        await addDocuments(provider, companyId, owner_id, [{ ...columns, status: one.reach.status }]);
        return;
      }
      const id = of(await idsOf(one.kind.includes("alert") ? "alerts" : "documents"), one.nth);
      if (id === undefined) return;
      if (one.kind === "change") {
        const set = { ...columnsOf(one.reach), status: one.reach.status };
        await db.updateTable("documents").set(set).where("id", "=", id).execute();
      } else if (one.kind === "remove") {
        await db.deleteFrom("alerts").where("document_id", "=", id).execute();
        await db.deleteFrom("documents").where("id", "=", id).execute();
      } else if (one.kind === "raise") {
        const { last } = await db
          .selectFrom("alerts")
          .select(({ fn }) => fn.max("id").as("last"))
          .executeTakeFirstOrThrow();
        await alertOf(provider, { companyId, documentId: id, rule: `rule ${last}` });
      } else if (one.kind === "set alert") {
        await db.updateTable("alerts").set({ status: one.status }).where("id", "=", id).execute();
      } else await db.deleteFrom("alerts").where("id", "=", id).execute();
    }

    async function countRows(actor: (typeof actors)[number]) {
      const count = sql<number>`count(*)`.as("count");
      const documents = db.selectFrom("documents").where(documentsWithin(actor, "read")).select(count);
      const alerts = db
        .selectFrom("alerts")
        .innerJoin("documents", "documents.id", "alerts.document_id")
        .where(alertsWithin(actor, "read"))
        .where("alerts.status", "<", 3)
        .select(count);
      return Promise.all([documents, alerts].map(async (rows) => Number((await rows.executeTakeFirstOrThrow()).count)));
    }

    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
        for (const one of changes) await make(one);
        for (const actor of actors) {
          const counted = [await countReadableDocuments(db, actor), await countOpenAlertsOf(db, actor)];
          expect(counted).toEqual(await countRows(actor));
        }
      }),
      { numRuns: 40 },
    );
    // Whatever the random changes left.
    await addDocuments(provider, companyId, admin.id, [{ status: "active" }]);
    await alertOf(provider, { companyId, documentId: (await idsOf("documents")).at(-1)!, rule: "the last rule" });
    const faults = async () => {
      const lines: string[] = [];
      for await (const line of violations(db)) if (line.includes("counts other")) lines.push(line);
      return lines;
    };
    expect(await faults()).toEqual([]);
    const storedCounters = await countersOf(db);
    expect(storedCounters.every((rows) => rows.length > 0)).toBe(true);
    await db
      .updateTable("document_reach")
      .set({ documents: sql`documents + 1` })
      .execute();
    await db.deleteFrom("alert_reach").execute();
    const line = (counted: string) =>
      `company ${companyId} counts other ${counted} in a branch, group and user than it has`;
    expect(await faults()).toEqual(expect.arrayContaining([line("documents"), line("alerts")]));
    await rebuildDerivedTables(db);
    expect(await countersOf(db)).toEqual(storedCounters);
  });
});
