import { CircleDot, MapPin } from "lucide-react";
import { t } from "#lib/messages/staff.ts";
import type { Scan } from "#provider/contract/scans.ts";
import type { SortOf } from "#provider/contract/calls.ts";
import { More } from "../../components/frame/more.tsx";
import { ScanPlace } from "../../components/scan/scan-place.tsx";
import { RowAction } from "../../components/list/row-action.tsx";
import type { Column } from "../../components/list/table.tsx";

/** The table below the map has the same scans; their `at` is formatted. */
export const scanColumns = (
  mayOpen: boolean,
  toRemove: (id: number) => string,
): Column<Scan & { town: string }, SortOf<"listScans">>[] => [
  {
    label: t("common.documentNumber"),
    cell: ({ document_id, number, copy }) => (
      <span>
        {mayOpen ? (
          <a className="main code" translate="no" href={`/documents/${document_id}`}>
            {number}
          </a>
        ) : (
          <span className="code" translate="no">
            {number}
          </span>
        )}
        {copy !== null && <small>{t("common.copyNumber", { copy })}</small>}
      </span>
    ),
  },
  {
    label: t("common.scanned"),
    sort: "at",
    className: "first",
    cell: ({ at }) => <span className="whitespace-nowrap">{at}</span>,
  },
  { label: t("common.branch"), cell: ({ branch }) => branch },
  {
    label: t("common.index"),
    className: "wide",
    cell: ({ index }) => index && <span className="whitespace-nowrap">{index}</span>,
  },
  {
    label: t("common.where"),
    cell: (scan) => <ScanPlace scan={{ ...scan, place_is_rounded: false }} />,
  },
  { label: t("common.kind"), className: "beside", cell: (scan) => <Kind {...scan} /> },
  {
    label: t("common.actions"),
    className: "act",
    cell: ({ id, alert_id, number, at, place_is_removable }) => (
      <>
        {alert_id && (
          <RowAction
            to={`/alerts/${alert_id}`}
            verb={t("common.alert")}
            label={t("map.columns.alertOfScan", { number, at })}
          />
        )}
        {place_is_removable && (
          <More className="row-act" label={t("components.more.moreOfScan", { at })}>
            <RowAction
              to={toRemove(id)}
              verb={t("common.removePlace")}
              label={t("map.columns.removePlaceOfScan", { number, at })}
            />
          </More>
        )}
      </>
    ),
  },
];

function Kind({ suspicion, staff }: Scan) {
  const Icon = suspicion ? MapPin : CircleDot;
  return (
    <span className={`whitespace-nowrap ${suspicion ? "font-semibold text-bad" : ""}`}>
      <Icon className="ico mr-1.5 inline align-[-0.2em]" />
      {kindLabel({ suspicion, staff })}
    </span>
  );
}

export const kindLabel = ({ suspicion, staff }: Pick<Scan, "suspicion" | "staff">) =>
  suspicion ? t("common.suspicion") : staff ? t("map.columns.scanByStaff") : t("common.scan");
