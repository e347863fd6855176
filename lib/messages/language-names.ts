import { type Language, tagOf } from "./languages.ts";
import { staffLanguage } from "./staff-language.ts";

/** How each language calls itself, so that those who read no other find it. */
export const languageNames: Record<Language, string> = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
  pt: "Português",
  it: "Italiano",
  pl: "Polski",
  uk: "Українська",
  tr: "Türkçe",
  ar: "العربية",
  hi: "हिन्दी",
  zh: "中文",
};

const nameIn = (tag: string, language: Language): string =>
  new Intl.DisplayNames(tag, { type: "language" }).of(language)!;

/** A language's name in the staff's language. */
export const staffNameOf = (language: Language): string => nameIn(tagOf(staffLanguage), language);

/** For the provider's files, which are in English. */
export const englishNameOf = (language: Language): string => nameIn("en-GB", language);
