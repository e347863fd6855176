import { expect, test } from "../support/journey.ts";
import { unfold } from "../support/page-parts.ts";
import { oneIn } from "../support/shares.ts";
import { at, inspect, type State } from "../support/page-states.ts";

const states: State[] = [
  { name: "alerts", open: at("/alerts") },
  { name: "alerts, not found", open: at("/alerts?name=nothing") },
  { name: "alert", open: at("/alerts/12") },
  { name: "alert, with comments", open: at("/alerts/7") },
  {
    name: "alert, commenting, refused",
    async open(page) {
      await page.goto("/alerts/7");
      await page.getByRole("button", { name: "Add comment" }).click();
      await expect(page.getByText("Enter the comment").first()).toBeVisible();
    },
  },
  {
    name: "alert, removing a comment",
    async open(page) {
      await page.goto("/alerts/7");
      await page
        .getByRole("link", { name: /^Remove/ })
        .first()
        .click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  {
    name: "alerts, assigning",
    async open(page) {
      await page.goto("/bulk-actions/new?list=alerts&act=assign&id=7&id=12");
      await expect(page.getByLabel("Owner")).toBeVisible();
    },
  },
  { name: "alert, without a position", open: at("/alerts/11") },
  { name: "alert, completing", open: at("/alerts/12?dialog=complete") },
  {
    name: "alert, completing, refused",
    async open(page) {
      await page.goto("/alerts/12?dialog=complete");
      await page.getByRole("button", { name: "Complete alert" }).click();
      await expect(page.getByText("Enter a note")).toBeVisible();
    },
  },
  { name: "alert, history", open: at("/alerts/10?tab=history") },
  { name: "rules of alerts", open: at("/alerts/rules") },
  { name: "rule of alerts", open: at("/alerts/rules/travel") },
  { name: "rule of alerts, previewed", open: at("/alerts/rules/withdrawn?preview=1&enabled=1&grace_days=0") },
  {
    name: "rule of alerts, refused",
    async open(page) {
      await page.goto("/alerts/rules/burst");
      await page.getByLabel("Devices").fill("1");
      await page.getByRole("button", { name: "Save" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  {
    name: "rule of alerts, a preview refused",
    open: at("/alerts/rules/travel?preview=1&enabled=1&max_km_per_hour=1&min_km=x"),
  },
  { name: "rule of alerts, unknown", open: at("/alerts/rules/nothing") },
  { name: "map", open: at("/map") },
  { name: "map, a part of it", open: at("/map?bbox=-2.4,53.4,-2.1,53.6&kind=scans") },
  {
    name: "map, removing a place",
    async open(page) {
      await page.goto("/map");
      await unfold(page.getByRole("table"));
      await page.getByRole("link", { name: "Remove place" }).first().click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  { name: "map, no kind", open: at("/map?kind_chosen=1") },
  { name: "map, not found", open: at("/map?number=nothing&date_to=31-02-2026") },
  { name: "audit trail, access", open: at("/audit?trail=Access&per_page=50") },
  { name: "audit trail", open: at("/audit?per_page=50") },
  { name: "audit trail, not found", open: at("/audit?actor=nobody") },
];

for (const { name, open } of oneIn(4, states)) {
  test(`${name} has no violations`, async ({ page, signInAs }) => {
    await signInAs();
    await open(page);
    await inspect(page, name);
  });
}
