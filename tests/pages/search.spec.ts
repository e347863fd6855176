import { test } from "../support/journey.ts";
import { oneIn } from "../support/shares.ts";
import { at, inspect, type State } from "../support/page-states.ts";

const states: State[] = [
  { name: "search", open: at("/search") },
  { name: "search, found", open: at("/search?q=lease") },
  { name: "search, not found", open: at("/search?q=submarine") },
  { name: "search, a mistyped code", open: at("/search?q=4C7H-29KD-3P17-2XQ0-9") },
  { name: "search, too long", open: at(`/search?q=${"x".repeat(201)}`) },
];

for (const { name, open } of oneIn(4, states)) {
  test(`${name} has no violations`, async ({ page, signInAs }) => {
    await signInAs();
    await open(page);
    await inspect(page, name);
  });
}
