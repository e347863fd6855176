import { Link } from "react-router";

/** What can be done with a row: the name tells screen readers which one. */
export const RowAction = ({ to, verb, name }: { to: string; verb: string; name: string }) => (
  <Link className="row-act" to={to}>
    {verb}
    <span className="sr-only"> {name}</span>
  </Link>
);
