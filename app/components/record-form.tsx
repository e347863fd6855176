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

/** A record as its form shows it: every field as text. */
export const asTyped = (record: object): Values =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, String(value ?? "")]));

type Meanwhile = {
  typed: object;
  saved: object;
  /** The form's fields with their labels. */
  labels: Record<string, string>;
  /** On the button that saves. */
  act: string;
};

/** After somebody else saved: what they made of the fields that are different here. */
export function SavedMeanwhile({ typed, saved, labels, act }: Meanwhile) {
  const now = new Map(Object.entries(saved));
  const differing = Object.entries(typed).flatMap(([name, value]) => {
    const kept: unknown = now.get(name);
    return labels[name] && typeof value === "string" && typeof kept === "string" && kept !== value
      ? [[labels[name], kept]]
      : [];
  });
  if (differing.length === 0) return null;
  return (
    <section className="form-section" aria-labelledby="meanwhile">
      <h2 id="meanwhile">Saved meanwhile</h2>
      <div>
        <p className="mb-2">Your entries are below. {act} puts them in place of these:</p>
        <dl className="facts facts-1">
          {differing.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value || "–"}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}
