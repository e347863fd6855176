import { expect, test } from "vitest";
import { alertInWords } from "../scan/alert-words.ts";
import { actionInWords, entityInWords, trailInWords } from "../record/audit-actions.server.ts";
import { changesInWords } from "../record/audit-words.server.ts";
import { caseInWords } from "../scan/case-words.ts";

const inherited = ["__proto__", "constructor", "toString"];

test.each(inherited)("another provider's word %s is shown as it came", (word) => {
  const capitalised = word.charAt(0).toUpperCase() + word.slice(1);
  expect(alertInWords(word)).toBe(word);
  expect(actionInWords(word)).toBe(capitalised);
  expect(entityInWords(word)).toBe(capitalised);
  expect(trailInWords(word)).toBe(capitalised);
  expect(caseInWords(word)).toBe("");
});

test.each(inherited)("a change of another provider's record %s is shown as it came", (entity) => {
  const changes = [{ field: "status", before: null, after: entity }];
  expect(changesInWords({ action: "changed", entity, changes })).toEqual([
    { label: "Status", before: "", after: entity.charAt(0).toUpperCase() + entity.slice(1) },
  ]);
});
