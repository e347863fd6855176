import { describe, expect, test } from "vitest";
import { catalogues } from "#lib/messages/catalogues.ts";
import { languages } from "#lib/messages/languages.ts";
import { argumentsOf, faultsOf, repeatedKeys, typesOf, unusedKeys } from "./messages.ts";

const english = {
  greeting: "Signed by {company}",
  wait: "Wait {minutes, plural, one {# minute} other {# minutes}}",
  lost: "{why, select, lost {Lost} other {Gone}}",
};

describe("the check of messages", () => {
  test.each(languages)("finds nothing wrong with %s", (language) => {
    expect(faultsOf(language, catalogues[language], catalogues.en)).toEqual([]);
  });

  test.each([
    ["a key that is missing", { greeting: "Von {company}", lost: english.lost }, "wait is missing"],
    ["a key that English lacks", { ...english, more: "Mehr" }, "more is no message"],
    ["another argument", { ...english, greeting: "Von {firm}" }, "greeting has the arguments (firm text)"],
    ["a choice without one of its words", { ...english, lost: "{why, select, other {Weg}}" }, "lost has the arguments"],
    ["a number that is a text", { ...english, wait: "{minutes}" }, "wait has the arguments (minutes text)"],
    ["a broken message", { ...english, greeting: "Von {company" }, "greeting can’t be read"],
    ["an empty message", { ...english, greeting: " " }, "greeting is empty"],
    ["markup", { ...english, greeting: "<b>{company}</b>" }, "greeting has markup"],
    ["a straight quote", { ...english, greeting: "C'est {company}" }, "greeting has a straight quote"],
  ])("finds %s", (_, messages, fault) => {
    expect(faultsOf("de", messages as Record<string, string>, english).join("\n")).toContain(fault);
  });

  test("wants each plural form of a language", () => {
    const wait = "{minutes, plural, one {# minuta} other {# minuty}}";
    expect(faultsOf("pl", { ...english, wait }, english)).toEqual([
      expect.stringMatching(/wait lacks the plural forms (few, many|many, few)/),
    ]);
    expect(faultsOf("ar", english, english).join()).toContain("zero, two, few, many");
    expect(faultsOf("zh", { ...english, wait: "{minutes, plural, other {# 分钟}}" }, english)).toEqual([]);
  });

  test("finds messages that no source says", () => {
    expect(unusedKeys(Object.keys(english), ['t("greeting")', 't("wait")'])).toEqual(["lost"]);
  });

  test("finds keys that a file has twice", () => {
    const [once, again] = ['"greeting": "Signed by {company}"', '"greeting": "By {company}"'];
    expect(repeatedKeys(`{\n  ${once},\n  "lost": "Lost",\n  ${again}\n}`)).toEqual(["greeting"]);
    expect(repeatedKeys(`{\n  ${once}\n}`)).toEqual([]);
  });

  test("writes the types of arguments", () => {
    expect(argumentsOf(english.lost)).toEqual(new Map([["why", { kind: "choice", options: ["lost", "other"] }]]));
    expect(typesOf(english)).toContain('"wait": { minutes: number };');
  });
});
