import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { HtmlValidate } from "html-validate";
import { expect } from "./journey.ts";
import { settings } from "./settings.ts";
import { partOf } from "./shares.ts";

/** A page in one of its states: `open` brings the browser there. */
export type State = { name: string; open(page: Page): Promise<void> };

export const at = (path: string) => async (page: Page) => void (await page.goto(path));

const validator = new HtmlValidate({
  extends: ["html-validate:recommended", "html-validate:document"],
  rules: {
    // React writes attributes and void elements in its own way, which is as good.
    "attr-case": "off",
    "void-style": "off",
    "attribute-boolean-style": "off",
    "attribute-empty-style": "off",
    "doctype-style": "off",
    // The title names the product last; a long document name may take it over the limit.
    "long-title": "off",
    // Cards on phones lose a table's meaning unless the roles are written out (docs/look.md, section 6).
    "no-redundant-role": "off",
    "prefer-native-element": "off",
    // Styling is by classes; the policy forbids the rest.
    "no-inline-style": "error",
    // Any character but a space, as HTML has it: fields are named like custom_fields[0][name].
    "valid-id": ["error", { relaxed: true }],
    // All scripts and sheets are our own.
    "require-sri": ["error", { target: "crossorigin" }],
    // Phone numbers and codes are shown, never dialled.
    "tel-non-breaking": "off",
    // Without scripts a page that shows what goes on refreshes itself, says so, and has a link that stops it.
    "meta-refresh": "off",
    // One form's buttons share a name: which was pressed is its value.
    "form-dup-name": ["error", { shared: ["radio", "button", "submit", "reset", "checkbox"] }],
  },
});

const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What is wrong with a page as it stands: by all rules, or by those that colours alone can break. */
async function findings(page: Page, rules: "all" | "colours"): Promise<string[]> {
  // Our pages have no frames, for whose sake the other mode takes three times as long.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ["violations"] });
  const axeRules = rules === "all" ? axe.withTags(standards) : axe.withRules(["color-contrast", "link-in-text-block"]);
  const { violations } = await axeRules.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(" | ")}`);
}

/** What is wrong with a page as it stands, by all rules. */
export const axeFindings = (page: Page) => findings(page, "all");

async function sourceFindings(page: Page): Promise<string[]> {
  // As the server wrote it; what the browser made of it would hide what is wrong.
  // Validating takes this process so long that the server may have ended the connection, which browsers try anew too.
  const { href, host, hostname } = new URL(page.url());
  // Browsers alone find such names on this machine.
  const ofCompany = hostname.endsWith(".localhost") && { headers: { host } };
  const address = ofCompany ? href.replace(hostname, "127.0.0.1") : href;
  const html = await (await page.request.get(address, { maxRetries: 1, ...ofCompany })).text();
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => {
      const around = html.split("\n")[line - 1]!.slice(Math.max(0, column - 60), column + 100);
      return `${ruleId}: ${message} in …${around}…`;
    }),
  );
}

export const isSideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

/** Looks at the open page wide and narrow, and at its source. */
export async function inspect(page: Page, name: string) {
  // Every pass of axe, or with TESTS=once one of two.
  const passes = settings.runsOnce ? [partOf(name, 2)] : [0, 1, 2];
  await page.emulateMedia({ colorScheme: "light" });
  if (passes.includes(0)) expect.soft(await findings(page, "all"), `axe, ${name}`).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  if (passes.includes(2)) expect.soft(await findings(page, "colours"), `axe, ${name}, dark`).toEqual([]);
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect.soft(await isSideways(page), `${name} scrolls sideways at ${width} px`).toBe(false);
  }
  if (passes.includes(1)) expect.soft(await findings(page, "all"), `axe, ${name}, dark at 320 px`).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  expect.soft(await sourceFindings(page), `HTML of ${name}`).toEqual([]);
}
