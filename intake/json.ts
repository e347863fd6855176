import type { z } from "zod";
import { FormRefused } from "./fields.ts";
import { fitted, shapeOf } from "./shape.ts";

/** The most values that a JSON body may have. A document that is sent back as it came, with 100 page files, has 1,100. */
export const mostJsonValues = 5000;

/**
 * Reads a JSON body as far as a schema knows it. Throws `FormRefused` for too many values, before anything is made of
 * them, and for what is no JSON.
 */
export function readJson(text: string, schema: z.ZodObject): unknown {
  if (hasMoreValuesThan(text, mostJsonValues)) throw new FormRefused("too many fields");
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new FormRefused("malformed");
  }
  return fitted(parsed, shapeOf(schema).shape);
}

/** Counts what begins a value, outside texts: commas and opening brackets. */
function hasMoreValuesThan(text: string, most: number): boolean {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfText(text, at);
    else if (character === "," || character === "[" || character === "{") {
      if (++count > most) return true;
    }
  }
  return false;
}

/** Where the text that begins at `start` has its closing quote. */
function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}
