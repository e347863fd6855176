import { CircleDot, MapPin } from "lucide-react";
import { say } from "#lib/messages/staff.ts";
import type { Scan } from "#provider/contract/scans.ts";
import type { SortOf } from "#provider/contract/calls.ts";
import { showDegrees } from "../../components/text/format.ts";
import { QualityTag } from "../../components/scan/place-quality.tsx";
import { RowAction } from "../../components/list/row-action.tsx";
import type { Column } from "../../components/list/table.tsx";

/** The table below the map has the same scans; their `at` is formatted. */
export const scanColumns = (
  mayOpen: boolean,
  toRemove: (id: number) => string,
): Column<Scan, SortOf<"listScans">>[] => [
  {
    label: say("common.documentNumber"),
    cell: ({ document_id, number, copy }) => (
      <span>
        {mayOpen ? (
          <a className="main code" href={`/documents/${document_id}`}>
            {number}
          </a>
        ) : (
          <span className="code">{number}</span>
        )}
        {copy !== null && <small>{say("common.copyNumber", { copy })}</small>}
      </span>
    ),
  },
  { label: say("common.scanned"), sort: "at", cell: ({ at }) => <span className="whitespace-nowrap">{at}</span> },
  { label: say("common.branch"), cell: ({ branch }) => branch },
  { label: say("common.index"), cell: ({ index }) => index && <span className="whitespace-nowrap">{index}</span> },
  {
    label: say("common.where"),
    cell: ({ latitude, longitude, place, place_quality }) => (
      <span className="inline-flex flex-wrap items-center gap-x-2">
        {latitude === null ? (
          say("common.quoted", { text: place })
        ) : (
          <span className="num whitespace-nowrap">
            {showDegrees(latitude)}, {showDegrees(longitude)}
          </span>
        )}
        <QualityTag quality={place_quality} />
      </span>
    ),
  },
  { label: say("common.kind"), cell: (scan) => <Kind {...scan} /> },
  {
    label: say("common.actions"),
    className: "act",
    cell: ({ id, alert_id, number, at, place_is_removable }) => (
      <>
        {alert_id && (
          <RowAction
            to={`/alerts/${alert_id}`}
            verb={say("common.alert")}
            label={say("map.columns.alertOfScan", { number, at })}
          />
        )}
        {place_is_removable && (
          <RowAction
            to={toRemove(id)}
            verb={say("common.removePlace")}
            label={say("map.columns.removePlaceOfScan", { number, at })}
          />
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
  suspicion ? say("common.suspicion") : staff ? say("map.columns.scanByStaff") : say("common.scan");
