import { expect, test } from "vitest";
import { untranslated } from "./untranslated.ts";

const untranslatedIn = (code: string) => untranslated("page.tsx", code).map((line) => line.replace(/^\d+: /, ""));

test.each([
  ["an element's words", "<p>No alerts</p>", ["No alerts"]],
  ["one word", "<b>Alerts</b>", ["Alerts"]],
  ["a label", '<nav aria-label="Pages" />', ["Pages"]],
  ["a word that is chosen", '<b>{isOpen ? "Close" : t("list.open")}</b>', ["Close"]],
  ["a sentence outside of elements", 'const message = "Choose a file first";', ["Choose a file first"]],
  ["a sentence with arguments", "const title = `Alerts of ${branch}`;", ["`Alerts of ${branch}`"]],
])("the check of words finds %s", (_, code, words) => {
  expect(untranslatedIn(code)).toEqual(words);
});

test.each([
  ["what is said", '<p title={t("list.title")}>{t("list.none")}</p>'],
  ["class names", '<p className="text-muted grow" />'],
  ["names in types and comparisons", 'type State = "in force" | "copy withdrawn"; state === "in force"'],
  ["what operators read", 'throw new Error("the list has no rows"); log.warn("could not be read");'],
  ["addresses", "<a href={`/alerts/${id}`} />"],
  ["what addresses hold", "const inAddresses = `Expiring in ${days} days`;"],
])("the check of words passes over %s", (_, code) => {
  expect(untranslatedIn(code)).toEqual([]);
});
