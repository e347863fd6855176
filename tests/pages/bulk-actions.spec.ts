import { expect, test } from "../support/journey.ts";
import { oneIn } from "../support/shares.ts";
import { at, inspect, type State } from "../support/page-states.ts";

const states: State[] = [
  { name: "many, asking", open: at("/bulk-actions/new?list=documents&act=prolong&all=1&filters=status%3Dactive") },
  { name: "many, asking for a group", open: at("/bulk-actions/new?list=documents&act=group&id=1&id=2") },
  {
    name: "many, refused",
    async open(page) {
      await page.goto("/bulk-actions/new?list=alerts&act=complete&id=12");
      await page.getByRole("button", { name: "Complete" }).click();
      await expect(page.getByText("Enter a note").first()).toBeVisible();
    },
  },
  {
    name: "many, result",
    async open(page) {
      await page.goto("/bulk-actions/new?list=documents&act=archive&id=1&id=2");
      await page.getByRole("button", { name: "Archive" }).click();
      await expect(page.getByRole("heading", { name: /^Archived/ })).toBeVisible();
    },
  },
  { name: "many, no such list", open: at("/bulk-actions/new?list=none") },
  { name: "many, no such result", open: at("/bulk-actions/999999") },
];

for (const { name, open } of oneIn(4, states)) {
  test(`${name} has no violations`, async ({ page, signInAs }) => {
    await signInAs();
    await open(page);
    await inspect(page, name);
  });
}
