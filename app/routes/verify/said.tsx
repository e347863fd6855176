import { createContext, type ReactNode, use } from "react";
import { type Language, tagOf } from "#lib/messages/languages.ts";
import { partsOf } from "#lib/messages/isolates.ts";
import { staffLanguage } from "#lib/messages/staff-language.ts";
import { type Words, wordsOf } from "#lib/messages/words.ts";

/** A company's own host, since which day it is confirmed, and the origin of the pages that it does not have. */
type Site = { host: string; company: string; since: string; main: string };

/** The language of a page, whether its address chose it, and that of the issuer's texts, empty if it is unknown. */
export type Spoken = {
  language: Language;
  isChosen: boolean;
  issuerLanguage?: Language | "";
  /** Undefined on the host of PUBLIC_URL. */
  site?: Site | undefined;
};

/** The frame of pages that are in the language of staff alone speaks that too. */
const SpokenContext = createContext<Spoken>({ language: staffLanguage, isChosen: false });

export const InLanguage = ({ spoken, children }: { spoken: Spoken; children: ReactNode }) => (
  <SpokenContext value={spoken}>{children}</SpokenContext>
);

export const useWords = (): Words => wordsOf(use(SpokenContext).language);

/** Returns an address of these pages with the chosen language, which goes on from page to page. */
export function useAddress(): (path: string) => string {
  const { isChosen, language } = use(SpokenContext);
  return (path) => (isChosen ? `${path}${path.includes("?") ? "&" : "?"}lang=${language}` : path);
}

export const useSite = () => use(SpokenContext).site;

export const useChosen = (): Language | undefined => {
  const { isChosen, language } = use(SpokenContext);
  return isChosen ? language : undefined;
};

/** A sentence in which texts of others are marked as such: no program translates them, nor do they turn the sentence. */
export function Said({ text, language }: { text: string; language?: Language | undefined }) {
  const context = use(SpokenContext);
  const theirLanguage = language ?? context.issuerLanguage;
  return partsOf(text).map(({ kind, text: part }, n) =>
    kind === "ours" ? (
      part
    ) : kind === "whole" ? (
      <span key={n} className="whole">
        {part}
      </span>
    ) : (
      <bdi
        key={n}
        // A number that is compared with the paper: a line would end at its hyphen.
        className={/^(?=.*\d)\S{1,16}$/.test(part) ? "whole" : undefined}
        translate="no"
        lang={theirLanguage ? tagOf(theirLanguage) : ""}
      >
        {part}
      </bdi>
    ),
  );
}
