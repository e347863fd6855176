import type { ReactNode } from "react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";

export type Panel<Row> = { rows: Row[]; message: string };

type SummaryPanelProps = {
  title: string;
  panel: Panel<unknown>;
  more: { to: string; label: string };
  beside?: ReactNode;
  children: ReactNode;
};

/** The first rows of a list, and the way to all of them. */
export function SummaryPanel({ title, panel: { rows, message }, more, beside, children }: SummaryPanelProps) {
  const id = `panel-${more.to.slice(1)}`;
  return (
    <section className="panel flex flex-col" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id}>{title}</h2>
      </div>
      <div className="flex-1">
        {rows.length > 0 ? (
          children
        ) : (
          <p className="px-5 pb-5 text-muted max-md:px-4">{message || t("signed-in.summaryPanel.notFound")}</p>
        )}
      </div>
      <p className="panel-foot flex flex-wrap items-center justify-between gap-x-4">
        <Link className="inline-flex min-h-8 items-center gap-1 font-semibold" to={more.to}>
          {more.label}
        </Link>
        {beside}
      </p>
    </section>
  );
}
