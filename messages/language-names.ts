import type { Language } from "./languages.ts";

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

/** What English calls a language, for users who answer in it. */
export const englishNameOf = (language: Language): string =>
  new Intl.DisplayNames("en-GB", { type: "language" }).of(language)!;
