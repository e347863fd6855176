/** The languages of the pages and mails that strangers read. */

export const languages = ["en", "de", "fr", "es", "pt", "it", "pl", "uk", "tr", "ar", "hi", "zh"] as const;
export type Language = (typeof languages)[number];

export const isLanguage = (value: unknown): value is Language => languages.includes(value as Language);

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

/** The tag for `lang`, `Content-Language` and `Intl`, more exact than the code where that matters. */
export const tagOf = (language: Language): string =>
  ({ en: "en-GB", pt: "pt-PT", zh: "zh-Hans" })[language as string] ?? language;

export const directionOf = (language: Language): "ltr" | "rtl" => (language === "ar" ? "rtl" : "ltr");
