import type { Locator, Page } from "@playwright/test";

export const main = (page: Page) => page.getByRole("main");
export const dialog = (page: Page) => page.getByRole("dialog");

/** Unfolds what is under “More” or “More filters”; `nth` chooses among several of the page. */
export const unfold = (place: Page | Locator, nth = 0) =>
  place.locator("details:not([open]) > summary").filter({ hasText: /^More/, visible: true }).nth(nth).click();

/** The notice of what was done. */
export const notice = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text });

/** The value beside a label in a record's page. */
export const fact = (page: Page, label: string) =>
  page
    .locator("dl > div")
    .filter({ has: page.getByText(label, { exact: true }) })
    .getByRole("definition");
