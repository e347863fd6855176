import fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { addDocuments, companyWithLists } from "#tests/fixtures/documents.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { fold } from "#lib/text.ts";
import { documentStatuses } from "../../db/tables.ts";
import { countedDocuments } from "./day-counters.ts";
import { matchingIds } from "./text-index.ts";

const words = ["crane", "lease", "permit"];
const fields = fc.record({
  name: fc.constantFrom("Crane lease", "Lease", "Permit of a crane", "Permit"),
  date: fc.constantFrom("2025-12-31", "2026-01-01", "2026-02-28"),
  status: fc.constantFrom(...documentStatuses),
});
const change = fc.oneof(
  fc.record({ kind: fc.constant("add" as const), fields }),
  fc.record({ kind: fc.constant("update" as const), nth: fc.nat(), fields }),
  fc.record({ kind: fc.constant("remove" as const), nth: fc.nat() }),
);

describe.runIf(hasDatabase())("counters and text index", () => {
  test("agree with the documents after any changes", async () => {
    const provider = await testProvider();
    const { db } = provider;
    const { id: companyId, admin } = await companyWithLists(provider);
    const documents = () => db.selectFrom("documents").where("company_id", "=", companyId);
    const read = () => documents().select(["id", "name", "date", "status"]).orderBy("id").execute();
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        for (const one of changes) {
          const all = await read();
          const targetId = "nth" in one ? all[one.nth % all.length]?.id : undefined;
          if (one.kind === "add") await addDocuments(provider, companyId, admin.id, [one.fields]);
          else if (targetId === undefined) continue;
          else if (one.kind === "remove") await db.deleteFrom("documents").where("id", "=", targetId).execute();
          else {
            const set = { ...one.fields, name_key: fold(one.fields.name) };
            await db.updateTable("documents").set(set).where("id", "=", targetId).execute();
          }
        }
        const all = await read();
        for (const status of documentStatuses) {
          const ofStatus = all.filter((document) => document.status === status);
          const counted = { companyId, statuses: [status] };
          expect(await countedDocuments(db, counted)).toBe(ofStatus.length);
          const ofJanuary = { ...counted, from: "2026-01-01", to: "2026-01-31" };
          expect(await countedDocuments(db, ofJanuary)).toBe(
            ofStatus.filter(({ date }) => date === "2026-01-01").length,
          );
        }
        for (const name of words) {
          for (const side of ["list", "archive"] as const) {
            const matches = await matchingIds(db, { companyId, sides: [side], texts: { name } }, 1000);
            const expected = all.filter((document) => {
              const isOfSide = (document.status === "archived") === (side === "archive");
              return isOfSide && fold(document.name).includes(name);
            });
            expect(matches.toSorted((a, b) => a - b)).toEqual(expected.map(({ id }) => id));
          }
        }
      }),
      { numRuns: 40 },
    );
    const negative = sql<{ count: number }>`select count(*) as count from document_days where documents < 0`;
    expect((await negative.execute(db)).rows[0]!.count).toBe(0);
  });
});
