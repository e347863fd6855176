import { t } from "#lib/messages/staff.ts";

/** The row's name, or the whole label if it says more than verb and name. */
type RowActionProps = { to: string; verb: string; isDownload?: boolean } & (
  | { name: string; label?: never }
  | { label: string }
);

/** A link on a row. Its accessible name has the row's: hidden text instead made the layout of 50 rows a tenth slower. */
export const RowAction = ({ to, verb, isDownload, ...row }: RowActionProps) => (
  <a
    className="row-act"
    href={to}
    aria-label={row.label ?? t("components.rowAction.verbName", { verb, name: row.name })}
    download={isDownload}
  >
    {verb}
  </a>
);
