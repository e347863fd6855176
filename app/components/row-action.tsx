/** What can be done with a row of a table: the name tells screen readers which one. */
export const RowAction = ({ to, verb, name }: { to: string; verb: string; name: string }) => (
  <a className="row-act" href={to}>
    {verb}
    <span className="sr-only">{` ${name}`}</span>
  </a>
);
