import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addDocuments, companyWithLists, idsIn, smallTuning } from "#tests/fixtures/documents.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { fold } from "#lib/text.ts";
import { tuningFor } from "./tuning.ts";

/** Pieces of names, in several scripts, with characters that patterns and quotes give a meaning. */
const pieces = [
  "Lease",
  "lease",
  "Vertrag",
  "ÉTÉ",
  "ete",
  "東京",
  "精密",
  "🚚",
  "100%",
  "_",
  "'",
  '"',
  "\\",
  "*",
  "unit 4",
  "NEAR",
  " ",
];
const name = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 }).map((all) => all.join(""));
/** A cut of a name, or any text. */
const search = fc.oneof(
  fc.tuple(name, fc.nat(12), fc.integer({ min: 1, max: 6 })).map(([whole, from, length]) => {
    const letters = [...whole];
    return letters
      .slice(from % letters.length)
      .slice(0, length)
      .join("");
  }),
  fc.string({ unit: "binary", minLength: 1, maxLength: 5 }),
);

/** As the contract reads a filter. */
const asFilter = (input: string) =>
  input
    .toWellFormed()
    .replace(/\p{Cc}/gu, "")
    .trim()
    .normalize("NFC");

describe.runIf(hasDatabase())("a search for any text", () => {
  test.each([
    ["few matches are collected", {}],
    ["many matches are read in order", smallTuning],
  ])("finds what a look at each name finds, where %s", async (_, tuning) => {
    const provider = await testProvider();
    const { add, list } = await companyWithLists(provider);
    const other = await provider.company();
    const names = fc.sample(name, { numRuns: 60, seed: 7 });
    const documents = await add(
      names.map((name, n) => ({ name, date: `2026-01-${String(1 + (n % 28)).padStart(2, "0")}` })),
    );
    await addDocuments(
      provider,
      other.id,
      other.admin.id,
      names.map((name) => ({ name })),
    );
    const { sortLimit } = { ...tuningFor(provider.db), ...tuning };
    await fc.assert(
      fc.asyncProperty(search.map(asFilter), async (text) => {
        fc.pre(text !== "");
        const opened = await list({ name: text }, { tuning });
        const expected = documents
          .filter(({ name }) => fold(name).includes(fold(text)))
          .toSorted((a, b) => b.date.localeCompare(a.date) || b.id - a.id);
        expect(await idsIn(opened)).toEqual(expected.map(({ id }) => id));
        const isCapped = expected.length > sortLimit;
        expect(await opened.total()).toEqual({ total: isCapped ? sortLimit : expected.length, isCapped });
      }),
      { numRuns: 120 },
    );
  });
});
