import { missingGlyph } from "../fonts/form-font.ts";
import { templateLimits } from "./template-fields.ts";

/** The values of a row, as a template shows them. */

/** Smaller letters can't be read on paper. */
export const minSize = 6;

/** As one line, or lines: without control characters, composed. */
export const valueOf = (values: Record<string, string>, column: string) =>
  (Object.hasOwn(values, column) ? values[column]! : "")
    .normalize("NFC")
    .replace(/\r\n?|[\u2028\u2029\v\f]/g, "\n")
    .replace(/\t/g, " ")
    .replace(/[^\P{Cc}\n]/gu, "");

/** A value's lines on one, by string functions: on long rows of spaces a pattern takes the square of their length. */
export const oneLine = (value: string): string =>
  value
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .join(" ");

/** Why a value can't be shown anywhere, as a sentence after its column's name. */
export function valueProblem(value: string): string | undefined {
  if (value.length > templateLimits.valueLength) return `is longer than ${templateLimits.valueLength} characters`;
  const missing = missingGlyph(value);
  return missing && `has a character that can’t be printed: ${shownCharacter(missing)}`;
}

const shownCharacter = (character: string) =>
  `${character} (U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")})`;

export const number = (value: number) => String(Number(value.toFixed(3)));
