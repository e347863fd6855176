import { describe, expect, test } from "vitest";
import { hasDatabase } from "#tests/fixtures/provider.ts";
import { withScans } from "#tests/fixtures/scans.ts";
import { violations } from "../../db/consistency.ts";
import { copyCode, copyCodes } from "./copy-queries.ts";

const suite = describe.runIf(hasDatabase());

suite("the codes of a document's copies", () => {
  test("are verified as the document's is", async () => {
    const { db, document } = await withScans({ copies: "3" });
    const copies = db.updateTable("document_copies").where("document_id", "=", document.id as number);
    await copies.where("n", "=", 3).set({ code: "0000000000000000U" }).execute();
    const codes = [];
    for await (const violation of violations(db)) codes.push(violation);
    const name = `document ${String(document.id)} (${String(document.number)})`;
    expect(codes).toEqual([`${name} has a code of copy 3 that can’t be`]);
  });

  test("are found by number, if the document has that copy", async () => {
    for (const count of [1, 3]) {
      const { db, document } = await withScans({ copies: String(count) });
      const issued = document as { id: number; code: string; copies: number };
      const found = await Promise.all([1, 2, 3, 4].map((n) => copyCode(db, issued, n)));
      const codes = await copyCodes(db, issued);
      expect(codes).toHaveLength(count);
      expect(found.filter((copy) => copy !== undefined)).toEqual(codes);
    }
  });
});
