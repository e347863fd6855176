import { expect, test } from "vitest";
import { stateFilters } from "./state-filters.ts";

test("the Status filter has the same values in every language, as addresses and saved views hold them", () => {
  const values = stateFilters.map(({ value }) => value);
  expect(values).toEqual(["In force", "Withdrawn", "Expired", "Expiring in 30 days"]);
});
