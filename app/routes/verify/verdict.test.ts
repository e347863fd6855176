import fc from "fast-check";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { type Language, languages } from "#lib/messages/languages.ts";
import { verdicts, type Verification } from "#provider/contract/verify.ts";
import { Questions } from "./questions.tsx";
import { InLanguage } from "./said.tsx";
import { issuerLanguageOf, type Outcome, Verdict, verdictOf } from "./verdict.tsx";

/** The languages differ in words alone. */

const day = fc.integer({ min: 0, max: 40_000 }).map((n) => new Date(n * 86_400_000).toISOString().slice(0, 10));
/** Of a company or a document, in any script, with the characters that turn directions. */
const theirs = fc.oneof(
  fc.constantFrom("Hallam & Reid Ltd", "شركة الأمانة", "<b>Acme</b>", "{company}", "NM-‮4A\u2069B", "‏", "中铁"),
  fc.string({ minLength: 1, maxLength: 30 }),
);
const number = fc.integer({ min: 1, max: 12 });
const signature = fc.record({
  verdict: fc.constantFrom(
    ...(["confirmed", "changed since", "newer", "altered", "unknown key", "revoked key", "contradicts"] as const),
    ...(["unreadable", "no record", "unchecked"] as const),
  ),
  company: theirs,
  differs: fc.array(fc.record({ field: fc.constant("number" as const), paper: theirs, record: theirs }), {
    maxLength: 2,
  }),
  revoked: fc.oneof(day, fc.constant("")),
});
const document: fc.Arbitrary<Verification> = fc.record({
  code: fc.constant("4C7H29KD3P172XQ08"),
  verdict: fc.constantFrom(...verdicts),
  ended: fc.option(fc.record({ reason: fc.constantFrom("exited" as const, "expired" as const), since: day }), {
    nil: undefined,
  }),
  withdrawal_text: fc.option(theirs, { nil: undefined }),
  copy: number,
  copies: number,
  copy_withdrawn: fc.option(
    fc.record({ reason: fc.constantFrom("lost" as const, "destroyed" as const, "other" as const), since: day }),
    { nil: undefined },
  ),
  paper: fc.constantFrom("" as const, "same" as const, "other" as const),
  company: theirs,
  branch: theirs,
  document_type: theirs,
  document_subtype: theirs,
  number: theirs,
  date: day,
  expire_date: day,
  pages: number,
  open_pages: fc.constant([]),
  preparing: fc.constant(false),
  timezone: fc.constant("Europe/London"),
  language: fc.constantFrom("" as const, ...languages),
});
const signed = { signature: fc.option(signature, { nil: undefined }) };
const outcomes: fc.Arbitrary<Outcome> = fc.oneof(
  fc.record({ kind: fc.constant("found" as const), document, typed: theirs, ...signed }),
  fc.record({ kind: fc.constant("not issued" as const), code: theirs, ...signed }),
  fc.record({ kind: fc.constant("mistyped" as const), code: theirs }),
  fc.record({
    kind: fc.constant("no answer" as const),
    code: theirs,
    reason: fc.oneof(
      fc.record({ why: fc.constant("limited" as const), minutes: number }),
      fc.record({ why: fc.constantFrom("notOffered" as const, "unanswered" as const) }),
    ),
    ...signed,
  }),
);

const show = (outcome: Outcome, language: Language) => {
  const page = [
    createElement(Verdict, { key: "verdict", outcome }),
    outcome.kind === "found" && createElement(Questions, { key: "questions", ...outcome }),
  ];
  return renderToStaticMarkup(
    InLanguage({ spoken: { language, isChosen: false, issuerLanguage: issuerLanguageOf(outcome) }, children: page }),
  );
};

/** What of a page is no wording: the verdict, the colours and signs, and the texts of others. */
const meaningOf = (html: string) => ({
  marks: html.match(/(?:data-verdict="[^"]*"|verdict-(?:ok|ended|bad|idle)| d="[^"]*")/g),
  theirs: html.match(/<bdi[^>]*>[^<]*<\/bdi>/g)?.toSorted(),
});

describe("a verdict", () => {
  test("depends on the document and never on the language", () => {
    fc.assert(
      fc.property(outcomes, fc.constantFrom(...languages), (outcome, language) => {
        const [english, other] = [show(outcome, "en"), show(outcome, language)];
        expect(english).toContain(`data-verdict="${verdictOf(outcome)}"`);
        expect(meaningOf(other)).toEqual(meaningOf(english));
        expect(other).not.toMatch(/[\u2066-\u2069]|undefined|NaN/);
      }),
      { numRuns: 300 },
    );
  });

  test.each(languages.filter((language) => language !== "en"))("is worded in %s and not in English", (language) => {
    fc.assert(
      fc.property(outcomes, (outcome) => {
        const title = (html: string) => /<h1>(.*?)<\/h1>/.exec(html)![1];
        expect(title(show(outcome, language))).not.toBe(title(show(outcome, "en")));
      }),
      { numRuns: 30 },
    );
  });
});
