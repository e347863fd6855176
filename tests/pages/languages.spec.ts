import { oneIn } from "../support/shares.ts";
import { expect, test } from "../support/journey.ts";
import { inspect } from "../support/page-states.ts";
import { languages, type StrangerState, strangerStates } from "../support/stranger-states.ts";
import { phone } from "../support/visitor.ts";

/** The pages of strangers, in each of their languages. */

test.use({ userAgent: phone, serverEnv: { TRUSTED_PROXIES: "1" } });

let states: StrangerState[];
test.beforeAll(async ({ server }) => void (states = await strangerStates(server)));

for (const language of oneIn(4, languages)) {
  test(`no page for strangers has violations in ${language}`, async ({ page }) => {
    test.setTimeout(states.length * 60_000);
    // Twenty scans in ten minutes are recorded for a network.
    await page.setExtraHTTPHeaders({ "x-forwarded-for": `192.0.2.${languages.indexOf(language) + 1}` });
    for (const { name, open } of states) {
      await open(page, language);
      await expect(page.locator("html"), name).toHaveAttribute("dir", language === "ar" ? "rtl" : "ltr");
      await expect(page.locator("html"), name).toHaveAttribute("lang", new RegExp(`^${language}\\b`));
      await expect(page.locator(".languages :is(a, button)"), name).toHaveCount(languages.length - 1);
      await expect(page.locator("script[src]"), name).toHaveCount(0);
      await inspect(page, `${name}, ${language}`);
    }
  });

  test(`letters twice as large cut nothing off a stranger's phone in ${language}`, async ({ page }) => {
    test.setTimeout(states.length * 60_000);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.setExtraHTTPHeaders({ "x-forwarded-for": `192.0.2.${languages.indexOf(language) + 101}` });
    for (const { name, open } of states) {
      await open(page, language);
      expect(await page.evaluate(cutOff), name).toEqual([]);
    }
  });
}

/** Texts that reach beyond the page once its letters are twice as large, with the languages unfolded. */
function cutOff() {
  document.documentElement.style.fontSize = "200%";
  document.querySelector("details")!.open = true;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const untranslatedTexts: string[] = [];
  while (texts.nextNode()) {
    const { parentElement, textContent } = texts.currentNode;
    if (parentElement!.closest(".sr-only, .skip-link") || !parentElement!.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const { left: remainder, right, width } = range.getBoundingClientRect();
    const around = (parentElement!.closest("main") ?? document.documentElement).getBoundingClientRect();
    if (width > 0 && (remainder < around.left || right > around.right)) untranslatedTexts.push(textContent!);
  }
  return untranslatedTexts;
}
