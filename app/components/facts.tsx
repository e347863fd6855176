import type { ReactNode } from "react";

/** An email address as a fact, to write to; empty where there is none. */
export const mailFact = (address: string) => address && <a href={`mailto:${address}`}>{address}</a>;

type FactsProps = {
  facts: [label: string, value: ReactNode][];
  /** Keeps them in one column. */
  isNarrow?: boolean;
};

/** Labels and values of one thing, in two columns where there is room. */
export function Facts({ facts, isNarrow = false }: FactsProps) {
  return (
    <dl className={isNarrow ? "facts facts-1" : "facts"}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value === "" || value === undefined ? "–" : value}</dd>
        </div>
      ))}
    </dl>
  );
}
