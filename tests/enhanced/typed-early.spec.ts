import type { Page } from "@playwright/test";
import { expect, test } from "../support/journey.ts";

/** What users type before a slow line has brought the scripts. */

test.beforeEach(({ signInAs }) => signInAs());

const forms = [
  "/users/new",
  "/users/edit/3",
  "/branches/new",
  "/branches/edit/1",
  "/branches/profile?edit",
  "/branches/view/1?dialog=add-user",
  "/profile?edit",
  "/profile?dialog=password",
  "/users/group",
  "/users/group?id=3",
  "/documents/edit/1",
  "/documents/new",
  "/documents/list",
  "/alerts",
  "/alerts/12?dialog=complete",
  "/map",
  "/audit",
  "/help",
  "/users/list",
];

/** Fills in and changes every control of the page's forms. */
function changeAll(page: Page) {
  return page.evaluate(() => {
    const controls = document.querySelectorAll<HTMLInputElement & HTMLSelectElement>(
      "main form :is(input:not([type=hidden], [type=file], [type=date], [readonly]), select, textarea), dialog form :is(input:not([type=hidden], [readonly]), textarea)",
    );
    for (const control of controls) {
      if (["checkbox", "radio"].includes(control.type)) {
        if (!control.disabled) control.click();
      } else {
        if (control.tagName === "SELECT") control.selectedIndex = control.options.length - 1;
        else control.value = "typed early";
        control.dispatchEvent(new Event("input", { bubbles: true }));
        control.dispatchEvent(new Event("change", { bubbles: true }));
      }
    }
  });
}

const entries = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLFormElement>("main form, dialog form")].map((form) =>
      [...new FormData(form)].map(([name, value]) => `${name}=${String(value)}`).join("&"),
    ),
  );

for (const path of forms) {
  test(`what was typed on ${path} before its scripts came stays`, async ({ page }) => {
    let release = () => {};
    const hold = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/assets\/.*\.js/, async (route) => {
      await hold;
      await route.continue();
    });
    const { goto } = Object.getPrototypeOf(page) as Page;
    await goto.call(page, path, { waitUntil: "commit" });
    await page.waitForFunction(() => document.querySelector("#page-end, script[type=module]"));
    await page.waitForSelector("main form");
    await changeAll(page);
    const before = await entries(page);
    release();
    await page.waitForFunction(() => history.scrollRestoration === "manual");
    await page.waitForLoadState("networkidle");
    expect(await entries(page)).toEqual(before);
  });
}
