/** The languages of the pages and mails that strangers read. */

export const languages = ["en", "de", "fr", "es", "pt", "it", "pl", "uk", "tr", "ar", "hi", "zh"] as const;
export type Language = (typeof languages)[number];

export const isLanguage = (value: unknown): value is Language => languages.includes(value as Language);

/** The tag for `lang`, `Content-Language` and `Intl`, more exact than the code if that matters. */
export const tagOf = (language: Language): string =>
  ({ en: "en-GB", pt: "pt-PT", zh: "zh-Hans" })[language as string] ?? language;

export const directionOf = (language: Language): "ltr" | "rtl" => (language === "ar" ? "rtl" : "ltr");
