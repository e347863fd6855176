import type { SubmissionResult } from "@conform-to/react";
import { summaryOf } from "./error-summary.tsx";
import type { FieldState } from "./field.tsx";

/** A form's fields as texts, by name. */
export type Values = Record<string, string>;

/**
 * What a form shows: saved values and, from Conform's reply, what was typed and the errors. Fields that were not sent, as
 * when a removal is refused, show their saved values. `boxes` are those to tick, which browsers leave out if they are not.
 * Conform's own hook, of 8 kB gz, is for pages that ship no script.
 */
export function formState(saved: Values, reply: SubmissionResult | undefined, boxes: string[] = []) {
  const { initialValue, fields = [], error } = reply ?? {};
  const textsByName = Object.fromEntries(fields.map((name) => [name, textAt(initialValue, name)]));
  const wasSent = fields.some((name) => name in saved && name !== "version");
  const unticked = Object.fromEntries(wasSent ? boxes.map((name) => [name, "0"]) : []);
  const values: Values = { ...saved, ...unticked, ...textsByName };
  const errors = error ?? {};
  const field = (name: string): FieldState => ({
    id: name,
    name,
    errors: errors[name] ?? undefined,
    initialValue: values[name],
  });
  const isStale = Boolean(errors.version);
  // Only a form that shows what was saved meanwhile builds on it.
  const version = isStale ? saved.version : values.version;
  return { values, field, summary: summaryOf(errors), isStale, isReply: reply !== undefined, version };
}

/** The text at `custom_fields[0].name`; empty texts are left out of replies. */
function textAt(tree: unknown, name: string): string {
  let value = tree;
  for (const part of name.match(/[^.[\]]+/g)!) value = (value as Record<string, unknown> | undefined)?.[part];
  return String(value ?? "");
}
