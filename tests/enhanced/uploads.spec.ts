import type { Page } from "@playwright/test";
import { expect, test, uniqueName } from "../support/journey.ts";
import { holdBack, untilFilled, untilGuarded } from "../support/leaving.ts";
import { main } from "../support/page-parts.ts";
import { pdf, picture } from "../support/page-files.ts";
import { addFiles, chooseType, next, step } from "../support/wizard.ts";

/** What scripts add to files on their way. */

test.beforeEach(({ signInAs }) => signInAs());

async function openPages(page: Page) {
  await chooseType(page);
  await page.getByLabel("Document name").fill(uniqueName("Paper"));
  await next(page);
  await step(page, "Pages");
}

/** Breaks the connection of the nth form that is sent. */
async function breakConnection(page: Page, url: RegExp, nth: number) {
  let count = 0;
  await page.route(url, (route) =>
    route.request().method() === "POST" && ++count === nth ? route.abort("internetdisconnected") : route.fallback(),
  );
}

const names = async (page: Page) =>
  (await page.getByRole("link", { name: /^Preview page/ }).allTextContents()).map((label) => label.split(", ")[1]);

test("of three page files whose connection breaks once, two arrive, and the other one is tried again", async ({
  page,
}) => {
  await openPages(page);
  await breakConnection(page, /\/pages\.data/, 2);
  await addFiles(page, true, await picture("a.png"), await picture("b.png"), await picture("c.png"));
  await expect(page.getByText("The connection broke before this file was there")).toBeVisible();
  await expect.poll(() => names(page)).toEqual(["a.png", "c.png"]);
  await page.getByRole("button", { name: "Try again with b.png" }).click();
  await expect.poll(() => names(page)).toEqual(["a.png", "c.png", "b.png"]);
  await expect(page.getByRole("button", { name: "Cancel b.png" })).toHaveCount(0);
});

test("a page file that is on its way has a progress bar, can be cancelled, and is not left unasked", async ({
  page,
}) => {
  await openPages(page);
  const { release } = await holdBack(page, /\/pages\.data/, "POST");
  await addFiles(page, true, await picture("slow.png"), await picture("next.png"));
  await expect(page.getByRole("progressbar", { name: "slow.png" })).toBeVisible();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Help" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stay" }).click();
  await page.getByRole("button", { name: "Cancel slow.png" }).click();
  await expect(page.getByRole("progressbar", { name: "slow.png" })).toHaveCount(0);
  release();
  await expect.poll(() => names(page)).toEqual(["next.png"]);
});

test("the reply to a file is shown, without a question, if the page was used while it was on its way", async ({
  page,
}) => {
  const name = uniqueName("Slow template");
  const [{ release }, guard] = [
    await holdBack(page, /\/templates\/new\.data/, "POST"),
    await holdBack(page, /\/interaction-[^/]*\.js/),
  ];
  await page.goto("/documents/templates/new");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("PDF").setInputFiles(await pdf("slow.pdf", 1));
  await page.getByRole("button", { name: "Add template" }).click();
  await expect(page.getByRole("progressbar", { name: "slow.pdf" })).toBeVisible();
  guard.release();
  await untilGuarded(page);
  await page.getByRole("heading", { level: 1 }).click();
  release();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await page.goBack();
  await untilFilled(page);
  await expect(page.getByLabel("Name")).toHaveValue("");
});

test("each refused page file is named, and the others are there", async ({ page }) => {
  await openPages(page);
  const wrong = (name: string) => ({ name, mimeType: "image/png", buffer: Buffer.from("no picture") });
  await addFiles(page, true, wrong("one.png"), await picture("good.png"), wrong("two.png"));
  const summary = page.getByRole("alert").first();
  await expect(summary).toContainText("one.png");
  await expect(summary).toContainText("two.png");
  await expect.poll(() => names(page)).toEqual(["good.png"]);
});

test("a table to be imported is sent again after the connection broke", async ({ page }) => {
  await page.goto("/branches/import");
  await breakConnection(page, /\/branches\/import\.data/, 1);
  const csv = "Name,Country,City\nQuay,United Kingdom,Hull";
  await page
    .getByLabel("CSV or XLSX file")
    .setInputFiles({ name: "branches.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await main(page).getByRole("button", { name: "Preview changes" }).click();
  await page.getByRole("button", { name: "Try again with branches.csv" }).click();
  await expect(page).toHaveURL(/\/branches\/import\/\d+/);
});
