import { onOneLine } from "../contract/fields.ts";

/** Longer names are more than a name. */
const maxLength = 60;

/** Without width; keeps mail clients from making a link of the text around it. */
const wordJoiner = "\u2060";

/**
 * A user's text for a message: on one line, 60 characters at most, in quotes that it can't close, and never a link or
 * an address.
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
