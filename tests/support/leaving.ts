import type { Page } from "@playwright/test";
import { expect } from "./journey.ts";

/** Waits until the page asks before it is left, soon after the code for that has come. */
export const untilGuarded = (page: Page) =>
  expect.poll(() => page.evaluate(() => dispatchEvent(new Event("beforeunload", { cancelable: true })))).toBe(false);
