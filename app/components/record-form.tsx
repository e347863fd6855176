import type { FieldState } from "./field.tsx";
import { summaryOfErrors } from "./error-summary.tsx";

type Values = Record<string, string>;
/** What a form is given back with (`server/records.ts`). */
export type Refusal = { values: Values; errors: Record<string, string[]>; isStale: boolean };

/**
 * What a record's form shows: what is kept, after a refusal what was typed and why it was refused. Fields that were not
 * sent, as when a removal is refused, are as they are kept.
 */
export function recordForm(saved: Values, refusal: Refusal | undefined) {
  const values = { ...saved, ...refusal?.values };
  const errors = refusal?.errors ?? {};
  const field = (name: string): FieldState => ({ id: name, name, errors: errors[name], initialValue: values[name] });
  const isStale = refusal?.isStale ?? false;
  // Only who was shown what was saved meanwhile builds on it; another refusal tells nothing of that.
  const version = isStale ? saved.version : values.version;
  return { values, field, summary: summaryOfErrors(errors, { whole: "" }), isStale, version };
}
