import type { ReactNode } from "react";

/** An email address as a fact, to write to; empty where there is none. */
export const mailFact = (address: string) => address && <a href={`mailto:${address}`}>{address}</a>;

/** Labels and values of one thing, in two columns where there is room. */
export function Facts({ facts }: { facts: [label: string, value: ReactNode][] }) {
  return (
    <dl className="facts">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value === "" || value === undefined ? "–" : value}</dd>
        </div>
      ))}
    </dl>
  );
}
