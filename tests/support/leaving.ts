import type { Page } from "@playwright/test";
import { expect } from "./journey.ts";

/** Waits until the page asks before it is left, soon after the code for that has come. */
export const untilGuarded = (page: Page) =>
  expect.poll(() => page.evaluate(() => dispatchEvent(new Event("beforeunload", { cancelable: true })))).toBe(false);

/** Waits for the code that comes with the first use of a page with filters: it drops empty ones from what is sent. */
export const untilFiltersAreDropped = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(() => [...new FormData(document.querySelector<HTMLFormElement>("form[role=search]")!).values()]),
    )
    .not.toContain("");

/**
 * Holds back requests to some addresses, a service worker's as well. Returns what lets them through, and the addresses that
 * were asked for so far.
 */
export async function holdBack(page: Page, url: RegExp, method?: "POST") {
  const { promise: hold, resolve: release } = Promise.withResolvers<void>();
  const requests: string[] = [];
  await page.context().route(url, async (route) => {
    if (method && route.request().method() !== method) return route.fallback();
    requests.push(route.request().url());
    await hold;
    // The page may not wait for it any more.
    await route.continue().catch(() => {});
  });
  return { release, requests };
}

/** Lets a page that is shown fill its forms again, which it does in the next turns of the event loop. */
export const untilFilled = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => setTimeout(resolve)))));
