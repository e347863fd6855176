import { staffNameOf } from "#lib/messages/language-names.ts";
import { staffLanguage } from "#lib/messages/staff-language.ts";
import { t } from "#lib/messages/staff.ts";
import type { Alert } from "#provider/contract/alerts.ts";
import type { Scan } from "#provider/contract/scans.ts";
import type { SortOf } from "#provider/contract/calls.ts";
import { AlertCell } from "../../components/scan/alert-cell.tsx";
import { More } from "../../components/frame/more.tsx";
import { RowAction } from "../../components/list/row-action.tsx";
import { ScanPlace } from "../../components/scan/scan-place.tsx";
import { ScanVerdict } from "../../components/scan/scan-verdict.tsx";
import type { Column, ListColumn } from "../../components/list/table.tsx";

/** The specification's columns. */
export const alertColumns = (): ListColumn<Alert, SortOf<"listAlerts">>[] => [
  {
    label: t("common.name"),
    sort: "name",
    cell: ({ id, document }) => (
      <a className="main" href={`/alerts/${id}`}>
        {document}
      </a>
    ),
  },
  { label: t("common.branch"), sort: "branch", className: "first", cell: ({ branch }) => branch },
  { label: t("common.alert"), sort: "alert", className: "beside", cell: AlertWithComplaint },
  {
    label: t("common.date"),
    sort: "date",
    cell: ({ date }) => <span className="whitespace-nowrap">{date}</span>,
  },
  {
    label: t("common.actions"),
    className: "act spare",
    cell: ({ id, document, number }) => (
      <RowAction to={`/alerts/${id}`} verb={t("common.view")} name={`${number} ${document}`} />
    ),
  },
];

const AlertWithComplaint = (alert: Alert) => (
  <div className="w-full">
    <AlertCell {...alert} />
    {alert.copy !== null && <small className="mt-1">{t("common.copyNumber", { copy: alert.copy })}</small>}
    {alert.alert === "Complaint" && alert.reason && (
      <small className="mt-1 wrap-anywhere">{excerptOf(alert.reason)}</small>
    )}
  </div>
);

/** A complaint, and the language of the page where it was written, in which an answer is read. */
const Report = ({ complaint, complaint_language: language }: Pick<Scan, "complaint" | "complaint_language">) => (
  <>
    {complaint}
    {language && language !== staffLanguage && (
      <small className="mt-1">{t("alerts.columns.writtenIn", { language: staffNameOf(language) })}</small>
    )}
  </>
);

const excerptLength = 80;

/** The beginning of a complaint, in one line and in its quotation marks. */
function excerptOf(reason: string) {
  const line = [...reason.slice(reason.indexOf("“")).replaceAll(/\s+/g, " ")];
  if (line.length <= excerptLength) return line.join("");
  const beginning = line.slice(0, excerptLength - 2).join("");
  return `${beginning.replace(/ \S*$/, "")}…”`;
}

/** The scans behind an alert: when, where if that was shared, and what was reported. */
export const scanColumns = (toRemove: (id: number) => string): Column<Scan & { town: string }>[] => [
  { label: t("common.scanned"), cell: ({ at }) => <span className="whitespace-nowrap">{at}</span> },
  { label: t("common.where"), cell: (scan) => <ScanPlace scan={scan} /> },
  { label: t("alerts.columns.verdict"), cell: (scan) => <ScanVerdict scan={scan} /> },
  { label: t("alerts.columns.report"), cell: (scan) => <Report {...scan} /> },
  { label: t("alerts.columns.contact"), cell: ({ contact }) => contact },
  {
    label: t("common.actions"),
    className: "act",
    cell: ({ id, at, place_is_removable }) =>
      place_is_removable && (
        <More className="row-act" label={t("components.more.moreOfScan", { at })}>
          <RowAction
            to={toRemove(id)}
            verb={t("common.removePlace")}
            label={t("alerts.columns.removePlaceOfScan", { at })}
          />
        </More>
      ),
  },
];
