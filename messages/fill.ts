import format, { type CompiledMessage } from "icu-minify/format";
import { createElement, Fragment, type ReactNode } from "react";
import { formatters } from "./formats.ts";

/**
 * Fills staff's messages in. The build writes calls of these in place of `say` and `sayWith` (`tools/inline-messages.ts`),
 * so that a page loads its own messages alone.
 */

type Value = string | number;

export const fill = (tag: string, message: CompiledMessage, values: Record<string, Value>): string =>
  String(format(message, tag, values, { formatters }));

type Element = (text: ReactNode) => ReactNode;

/** A sentence with elements: each is a function of the words that it is around. */
export function fillWith(tag: string, message: CompiledMessage, values: Record<string, Value | Element>): ReactNode {
  const given = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === "function" ? (parts: ReactNode[]) => value(joined(parts)) : value,
    ]),
  );
  const parts = format<ReactNode>(message, tag, given, { formatters });
  return joined(Array.isArray(parts) ? parts : [parts]);
}

/** Children in their place, which need no keys. */
const joined = (parts: ReactNode[]) => createElement(Fragment, null, ...parts);
