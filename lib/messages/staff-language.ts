import type { Language } from "./languages.ts";

/** The language of the staff's pages: that of the build. */
export const staffLanguage: Language = "en";
