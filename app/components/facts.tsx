import type { ReactNode } from "react";

export type Fact = [label: string, value: ReactNode];

/** An email address as a mailto link; empty without an address. */
export const mailFact = (address: string) => address && <a href={`mailto:${address}`}>{address}</a>;

type FactsProps = {
  facts: Fact[];
  /** Keeps to one column. */
  isNarrow?: boolean;
};

/** Labels and values, in two columns where there is room. */
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
