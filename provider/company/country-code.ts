import { languages } from "#lib/messages/languages.ts";

/** Two letters that `Intl` names as regions and that are no country of ISO 3166. */
const others = /^(A[AC]|C[PQ]|DG|E[AUZ]|IC|Q[M-Z]|TA|UN|X[A-Z]|ZZ)$/;

/** Names that users write and `Intl` does not. */
const names = {
  CZ: ["Czech Republic"],
  GB: ["UK", "Great Britain", "England", "Scotland", "Wales", "Northern Ireland"],
  NL: ["The Netherlands", "Holland"],
  TR: ["Turkey"],
  US: ["USA", "United States of America"],
};

let codes: Map<string, string> | undefined;

/** The two letters (ISO 3166) of a country that a user wrote by its name in one of our languages, or by its code; undefined if it is none. */
export const countryCode = (written: string): string | undefined => (codes ??= makeCodes()).get(keyOf(written));

const keyOf = (name: string) => name.normalize("NFKC").trim().toLowerCase();

function makeCodes() {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const pairs = letters.flatMap((first) => letters.map((second) => first + second));
  const isCurrent = (code: string) =>
    !others.test(code) && String(Intl.getCanonicalLocales(`und-${code}`)).endsWith(code);
  const byName = new Map<string, string>();
  for (const language of languages) {
    const regions = new Intl.DisplayNames(language, { type: "region", fallback: "none" });
    for (const code of pairs.filter(isCurrent)) {
      const name = regions.of(code);
      if (name) byName.set(keyOf(name), code).set(keyOf(code), code);
    }
  }
  for (const [code, written] of Object.entries(names)) for (const name of written) byName.set(keyOf(name), code);
  return byName;
}
