import { hash } from "node:crypto";
import { PDFName, type PDFObject } from "@cantoo/pdf-lib";

/** All names in a content, those of fonts that it sets, and its digest; undefined for one that can't be read. */
export type ContentNames = { all: Set<string>; fonts: Set<string>; digest: string } | undefined;

const maxNameLength = 60;

/** A font's name without what does not print, cut. */
export function fontName(value: PDFObject | undefined): string {
  const written = value instanceof PDFName ? value.asString().slice(1, 1000) : "";
  // Six letters of its own begin the name of a subset (9.9.2).
  const cleaned = Buffer.from(decoded(written), "latin1")
    .toString()
    .replace(/[\p{C}\p{Zl}\p{Zp}\uFFFD]/gu, "")
    .replace(/^[A-Z]{6}\+/, "")
    .trim();
  return [...cleaned].slice(0, maxNameLength).join("") || "?";
}

const regular = "[^\\0\\t\\n\\f\\r ()<>[\\]{}/%]";
const anyName = new RegExp(`/(${regular}*)`, "g");
/** A name and the operator Tf not far behind. */
const fontOperand = new RegExp(`/(${regular}{0,255})(?!${regular})[^/]{0,200}?Tf(?!${regular})`, "g");

/** Longer names are cut by some viewers. */
export const maxNameBytes = 255;
const decoded = (raw: string) =>
  raw.replace(/#([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));

/** Names as they stand in contents that viewers read as one, and with their escapes (7.3.5) decoded. */
export function namesIn(contents: Buffer[]): ContentNames {
  const digest = hash("sha256", Buffer.concat(contents));
  const names = { all: new Set<string>(), fonts: new Set<string>(), digest };
  for (const between of ["\n", ""]) {
    const text = contents.map((content) => content.toString("latin1")).join(between);
    for (const [, raw] of text.matchAll(anyName)) {
      if (raw!.length > maxNameBytes) return undefined;
      names.all.add(raw!).add(decoded(raw!));
    }
    if (between) for (const [, raw] of text.matchAll(fontOperand)) names.fonts.add(decoded(raw!));
    if (contents.length < 2) break;
  }
  return names;
}
