import type { Page } from "@playwright/test";
import { expect, test } from "../support/journey.ts";
import { isSideways } from "../support/page-states.ts";
import { openDetails } from "../support/wizard.ts";

test.beforeEach(({ signInAs }) => signInAs());

const widths = [320, 390, 768, 1024, 1152, 1280];

/** What users set for themselves: the spacing of WCAG 1.4.12, and letters of twice the size without a wider window. */
const readings = {
  "as it is": "",
  "with more spacing":
    "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }",
  "with letters of 200 %": "html { font-size: 200% !important }",
};

const paths = [
  "/dashboard",
  "/documents/list",
  "/documents/list?name=e&sort=-date&status=expired",
  "/documents/archive",
  "/documents/8",
  "/documents/8/wallet",
  "/documents/calendar",
  "/documents/new",
  "/documents/releases",
  "/alerts",
  "/alerts/1",
  "/map",
  "/users/list",
  "/users/roles",
  "/branches/list",
  "/branches/view/1",
  "/tariffs",
  "/audit",
  "/settings/recipients",
  "/settings/release-rules",
  "/help",
  "/profile",
  "/settings/wallet",
  "/settings/hosts",
];

/** The controls of a page that nobody can get at: beyond the edge of the page, or of an ancestor that cuts what is outside. */
const cutControls = (page: Page) =>
  page.evaluate(() => {
    const isShown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) && !element.closest(".sr-only, [inert], .skip-link");
    const cutBy = (control: Element) => {
      const { left, right } = control.getBoundingClientRect();
      for (let place = control.parentElement; place; place = place.parentElement) {
        const { overflowX, clipPath } = getComputedStyle(place);
        if (clipPath !== "none" || ["auto", "scroll"].includes(overflowX)) return undefined;
        const box = place.getBoundingClientRect();
        if (["hidden", "clip"].includes(overflowX) && (right > box.right + 1 || left < box.left - 1)) return place;
      }
      return right > innerWidth + 1 || left < -1 ? document.documentElement : undefined;
    };
    return [...document.querySelectorAll("a, button, input:not([type=hidden]), select, textarea, summary")]
      .filter(isShown)
      .flatMap((control) => {
        const place = cutBy(control);
        return place ? [`${control.textContent || control.outerHTML.slice(0, 80)} in ${place.className}`] : [];
      });
  });

for (const [reading, css] of Object.entries(readings)) {
  test(`nothing is cut off at any width, ${reading}`, async ({ page }) => {
    test.slow();
    // A draft, which the list shows.
    await openDetails(page);
    for (const path of paths) {
      await page.goto(path);
      await page.evaluate((text) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(text);
        document.adoptedStyleSheets = [sheet];
      }, css);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        expect.soft(await cutControls(page), `${path} at ${width} px, ${reading}`).toEqual([]);
        expect.soft(await isSideways(page), `${path} scrolls sideways at ${width} px, ${reading}`).toBe(false);
      }
    }
  });
}
