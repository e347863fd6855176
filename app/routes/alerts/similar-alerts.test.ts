import { expect, test } from "vitest";
import { whySimilar } from "./similar-alerts.tsx";

test("the reasons why alerts are similar are one sentence", () => {
  expect(whySimilar({ similar_by: ["document", "place", "contact"] })).toBe(
    "Same document, within 2 km and 30 days, same contact",
  );
  expect(whySimilar({ similar_by: ["contact"] })).toBe("Same contact");
  expect(whySimilar({ similar_by: [] })).toBe("");
});
