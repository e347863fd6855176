import type { z } from "zod";
import { FormRefused } from "./fields.ts";
import { pruned, shapeOf } from "./shape.ts";

/** A document with 100 page files has 1,100 values. */
export const maxJsonValues = 5000;

/** Reads the values of a JSON body that a schema knows. Throws `FormRefused`; too many values are refused unparsed. */
export function readJson(text: string, schema: z.ZodObject): unknown {
  if (hasMoreValuesThan(text, maxJsonValues)) throw new FormRefused("too many fields");
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new FormRefused("malformed");
  }
  return pruned(parsed, shapeOf(schema).shape);
}

/** Counts commas and opening brackets outside of strings. */
function hasMoreValuesThan(text: string, max: number): boolean {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === "," || character === "[" || character === "{") {
      if (++count > max) return true;
    }
  }
  return false;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}
