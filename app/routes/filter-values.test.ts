import { expect, test } from "vitest";
import { stateFilters } from "./documents/state-filters.ts";
import { stateChoices as importChoices } from "./imports/rows.tsx";
import { choiceOf, stateChoices as deliveryChoices } from "./webhooks/webhook-words.ts";

const valuesOf = (choices: { value: string }[]) => choices.map(({ value }) => value);

test("filters have the same values in every language, as saved addresses and views hold them", () => {
  expect(valuesOf(stateFilters)).toEqual(["In force", "Withdrawn", "Expired", "Expiring in 30 days"]);
  expect(valuesOf(importChoices)).toEqual(["New", "Changed", "Unchanged", "Refused", "Added", "Saved"]);
  expect(valuesOf(deliveryChoices)).toEqual(["Waiting", "Delivered", "Given up"]);
});

test("a delivery's state is found by its value in any case", () => {
  expect(choiceOf("given up")?.state).toBe("failed");
  expect([choiceOf("failed"), choiceOf("")]).toEqual([undefined, undefined]);
});
