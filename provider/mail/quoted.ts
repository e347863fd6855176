import { onOneLine } from "../contract/fields.ts";

/** Longer names say something else than who or what it is. */
const maxLength = 60;

/** Keeps programs that show mail from making a link of what stands around it; it has no width. */
const wordJoiner = "\u2060";

/**
 * A name that a user typed, as a message shows it: on one line, of 60 characters at most, in quotes that nothing within it
 * can close, and never as a link or an address.
 */
export function quoted(name: string): string {
  const line = onOneLine(name)
    .replace(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, "")
    .replace(/["“”„‟]/g, "’")
    .replace(/ {2,}/g, " ")
    .trim();
  const characters = [...line];
  const short =
    characters.length > maxLength
      ? `${characters
          .slice(0, maxLength - 1)
          .join("")
          .trimEnd()}…`
      : line;
  return `“${withoutLinks(short)}”`;
}

const withoutLinks = (text: string) =>
  text.replace(/\b[a-z][a-z0-9+-]*:\/+/gi, "").replace(/(?<=\S)[.:@/](?=\S)/g, (mark) => `${mark}${wordJoiner}`);
