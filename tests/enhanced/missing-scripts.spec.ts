import type { BrowserContext, Page } from "@playwright/test";
import { expect, scripts, test, uniqueName } from "../support/journey.ts";
import { untilGuarded } from "../support/leaving.ts";
import { main, notice } from "../support/page-parts.ts";

/** Tabs that were open during an upgrade, networks that answer themselves, and pages that the browser translates. */

test.beforeEach(({ signInAs }) => signInAs());

const heading = (page: Page, text: string) => expect(page.getByRole("heading", { level: 1 })).toHaveText(text);

/** A page that has settled. The router reports in the console what it lacks later. */
async function open(context: BrowserContext, path: string) {
  const page = await context.newPage();
  await page.goto(path);
  await page.waitForFunction(() => document.documentElement.dataset.scripts);
  return page;
}

/** Takes all scripts away that a page has not loaded yet, until the next document comes. */
async function upgrade(page: Page) {
  let isGone = true;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) isGone = false;
  });
  await page.route(scripts, (route) => (isGone ? route.fulfill({ status: 404 }) : route.fallback()));
}

async function typeName(page: Page, name: string) {
  await main(page).getByLabel("Name").fill(name);
  await untilGuarded(page);
}

for (const isUsed of [false, true]) {
  test(`a form whose tab was open during an upgrade, ${isUsed ? "and" : "not"} used before, leads on with its notice`, async ({
    context,
  }) => {
    const name = uniqueName("Quay");
    const page = await open(context, "/branches/new");
    if (isUsed) await typeName(page, name);
    await upgrade(page);
    await main(page).getByLabel("Name").fill(name);
    await main(page).getByLabel("Country").fill("United Kingdom");
    await main(page).getByLabel("City").fill("Hull");
    await page.getByRole("button", { name: "Add branch" }).click();
    await heading(page, "Branches");
    await expect(notice(page, `${name} was added`)).toBeVisible();
  });
}

test("a link leads where it says, and what was typed is there again after Back", async ({ context }) => {
  const page = await open(context, "/branches/new");
  await typeName(page, "Half a branch");
  await upgrade(page);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Help" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Leave without saving" }).click();
  await heading(page, "Help");
  await page.goBack();
  await heading(page, "Add new branch");
  await expect(page.getByLabel("Name")).toHaveValue("Half a branch");
});

test("a conflict is shown as such where scripts are gone", async ({ context, page: other }) => {
  const page = await open(context, "/branches/edit/2");
  await upgrade(page);
  await other.goto("/branches/edit/2");
  await other.getByLabel("Phone").fill(`01772 ${Date.now() % 1000}`);
  await other.getByRole("button", { name: "Update branch" }).click();
  await expect(notice(other, "changes saved")).toBeVisible();
  await page.getByLabel("Address").fill("1 Quay");
  await page.getByRole("button", { name: "Update branch" }).click();
  await expect(page.getByRole("heading", { name: "Changed by another user" })).toBeVisible();
  await expect(page.getByLabel("Address")).toHaveValue("1 Quay");
});

test("a network's sign-in page in place of an answer is no connection, and the form is filled in again", async ({
  page,
}) => {
  await page.goto("/branches/new");
  await page.getByLabel("Name").fill("Half a branch");
  await untilGuarded(page);
  const terms = { status: 200, contentType: "text/html", body: "<h1>Accept the terms</h1>" };
  await page.route(/\.data/, (route) => route.fulfill(terms));
  await page.getByRole("button", { name: "Add branch" }).click();
  await heading(page, "No connection");
  await expect(page.getByText("Something else answered in place of Sealdesk")).toBeVisible();
  await expect(page.getByText("logged")).toHaveCount(0);
  await page.unrouteAll();
  await page.getByRole("link", { name: "Try again" }).click();
  await expect(page.getByLabel("Name")).toHaveValue("Half a branch");
});

/** Puts every text into elements of its own, as translators do, also what comes later. */
const translate = (page: Page) =>
  page.evaluate(() => {
    const wrap = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Node[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode);
      for (const text of texts) {
        const { parentElement } = text;
        if (!parentElement || parentElement.closest("[translate=no], font, script, style, option, textarea")) continue;
        const font = document.createElement("font");
        parentElement.replaceChild(font, text);
        font.append(text.cloneNode());
      }
    };
    wrap(document.querySelector(".frame")!);
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) if (node.isConnected) wrap(node);
    }).observe(document.body, { childList: true, subtree: true });
  });

const words = async (page: Page) => (await page.locator(".frame").textContent())!.replace(/\s+/g, "");

test("a page that the browser translates says what a fresh one says, wherever one goes", async ({ page, context }) => {
  await page.goto("/documents/calendar");
  await translate(page);
  const fresh = await context.newPage();
  const go = async (name: string | RegExp) => {
    const before = page.url();
    await page.getByRole("link", { name }).first().click();
    await expect(page).not.toHaveURL(before);
    await expect(page.getByText("Loading …")).toHaveCount(0);
    await fresh.goto(page.url());
    await fresh.waitForFunction(() => document.documentElement.dataset.scripts);
    await expect.poll(() => words(page)).toBe(await words(fresh));
  };
  const month = (n: number) =>
    new Date(new Date().getFullYear(), new Date().getMonth() + n, 1).toLocaleDateString("en-GB", {
      month: "long",
      year: "numeric",
    });
  await go(month(1));
  await go(month(2));
  await go("Documents list");
  await go("Next");
  await go("Previous");
});
