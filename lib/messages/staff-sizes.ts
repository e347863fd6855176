import { showBytes } from "../units.ts";
import { tagOf } from "./languages.ts";
import { staffLanguage } from "./staff-language.ts";

/** A size as staff read it: `2.4 MB`. */
export const showSize = (bytes: number): string => showBytes(bytes, { tag: tagOf(staffLanguage) });
