import type { ColumnRow } from "./column-rows.ts";

/** The box that shows a column. */
export const ColumnBox = ({ row: { name, label }, isShown }: { row: ColumnRow; isShown: boolean }) => (
  <label className="choice min-w-0 flex-1 [overflow-wrap:anywhere]">
    <input className="checkbox checkbox-primary" type="checkbox" name="columns" value={name} defaultChecked={isShown} />
    {label}
  </label>
);
