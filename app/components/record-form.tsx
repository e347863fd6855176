import type { Values } from "./form-state.ts";

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
