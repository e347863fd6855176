import type { ReactNode } from "react";

/** An email address as a link; empty if there is none. */
export const mailFact = (address: string) =>
  address && <a href={`mailto:${encodeURIComponent(address).replace(/%40(?!.*%40)/, "@")}`}>{address}</a>;

type FactsProps = {
  facts: [label: string, value: ReactNode][];
  /** One column. */
  isNarrow?: boolean;
};

/** Labels and values of a record, in two columns if there is room. */
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
