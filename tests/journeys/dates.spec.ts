import { inDays } from "../support/days.ts";
import { expect, test, uniqueName } from "../support/journey.ts";
import { notice } from "../support/page-parts.ts";
import { issued, verdict } from "../support/visitor.ts";
import { addPicture, openDetails } from "../support/wizard.ts";

test("the review asks about a date far ahead and one that is over, and Create answers", async ({
  page,
  signInAs,
  hasScripts,
}) => {
  await signInAs();
  await openDetails(page);
  const name = uniqueName("Slip");
  await page.getByLabel("Document name").fill(name);
  await page.getByLabel("Expire type").selectOption("On a date");
  await page.getByLabel("Creation date").fill("31-12-2062");
  await page.getByLabel("Expire date").fill("29-02-2063");
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await expect(page.getByText("There is no 29 February in 2063").first()).toBeVisible();
  await page.getByLabel("Creation date").fill("01-01-2020");
  await page.getByLabel("Expire date").fill("01-01-2021");
  await addPicture(page, hasScripts);
  const doubts = page.getByRole("region", { name: "Check the dates" });
  await expect(doubts).toContainText("The expire date, 01-01-2021, is over already.");
  await page.getByRole("link", { name: "Change details" }).click();
  await page.getByLabel("Creation date").fill("31-12-2062");
  await page.getByLabel("Expire date").fill("31-12-2063");
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await expect(doubts).toContainText("The creation date, 31-12-2062, is far ahead.");
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
});

test("a doubtful date that is typed on the edit page is asked about once", async ({ page, server, signInAs }) => {
  const { path } = await issued(server.url);
  await signInAs();
  await page.goto(path.replace("/documents/", "/documents/edit/"));
  await page.getByLabel("Creation date").fill("31-12-2062");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByLabel("Creation date")).toHaveAccessibleDescription(/is far ahead\. If it is right, go on/);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(notice(page, "changes saved")).toBeVisible();
  await page.goto(path.replace("/documents/", "/documents/edit/"));
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(notice(page, "changes saved")).toBeVisible();
});

test("a stranger reads from when a document is in force whose date is still to come", async ({ page, server }) => {
  const date = inDays(40);
  const { code } = await issued(server.url, { date });
  await page.goto(`/v/${code}`);
  await expect(verdict(page)).toHaveText(`In force from ${date}`);
  await expect(page.getByText(`Not yet, from ${date}.`)).toBeVisible();
});
