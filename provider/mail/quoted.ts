import { onOneLine } from "../contract/fields.ts";

/** Longer names are more than a name. */
const maxLength = 60;

const unprintable = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Without width; keeps mail clients from making a link of the text around it. */
const wordJoiner = "\u2060";

/**
 * A user's text for a message: on one line, 60 characters at most, in quotes that it can't close, and never a link or
 * an address.
 */
export function quoted(name: string): string {
  const line = onOneLine(name)
    .replace(unprintable, "")
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

/** A user's text of several lines, each marked as quoted and without links. */
export const quotedLines = (text: string): string =>
  text
    .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/)
    .map((line) => `> ${withoutLinks(line.replace(unprintable, ""))}`.trimEnd())
    .join("\n");
