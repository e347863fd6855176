import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { AlertCell } from "../../../components/scan/alert-cell.tsx";
import { ScanPlace } from "../../../components/scan/scan-place.tsx";
import { ScanVerdict } from "../../../components/scan/scan-verdict.tsx";
import { type Column, Table } from "../../../components/list/table.tsx";
import type { DocumentScans } from "./document-scans.server.ts";

type Scan = DocumentScans["scans"][number];
type Alert = DocumentScans["alerts"][number];

/** When and where a document was scanned last, and what the scan said. */
export function LastScan({ scans: { scans } }: { scans: DocumentScans }) {
  const [last] = scans;
  if (!last) return <p className="mt-1 text-sm text-muted">{t("documents.documentScans.notScannedYet")}</p>;
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      <a href="#scans">{t("documents.documentScans.lastScannedAt", { at: last.at })}</a>
      {(last.latitude !== null || last.place) && <ScanPlace scan={last} />}
      {last.verdict && (
        <>
          <span className="text-muted">{t("documents.documentScans.theAnswerThen")}</span> <ScanVerdict scan={last} />
        </>
      )}
    </p>
  );
}

/** A document's newest scans and its open alerts, with the ways to all of them. */
export function ScansPanel({ number, scans: { scans, alerts, hasMap } }: { number: string; scans: DocumentScans }) {
  const query = new URLSearchParams({ number });
  return (
    <section className="panel mt-5 overflow-hidden" aria-labelledby="scans">
      <div className="panel-head flex-wrap">
        <h2 id="scans">{t("documents.documentScans.scansAndOpenAlerts")}</h2>
        <p className="flex flex-wrap gap-2 print:hidden">
          <Link className="btn btn-quiet" to={`/alerts?${query}`}>
            {t("documents.documentScans.allAlerts")}
          </Link>
          {hasMap && (
            <Link className="btn btn-quiet" to={`/map?${query}`}>
              {t("documents.documentScans.onTheMap")}
            </Link>
          )}
        </p>
      </div>
      {alerts.length > 0 && (
        <>
          <Subtitle text={t("documents.documentScans.openAlerts")} />
          <Table
            caption={t("documents.documentScans.openAlerts")}
            rows={alerts}
            columns={alertColumns}
            keyOf={({ id }) => id}
          />
        </>
      )}
      {scans.length > 0 ? (
        <>
          <Subtitle text={t("documents.documentScans.newestScans")} />
          <Table
            caption={t("documents.documentScans.newestScans")}
            rows={scans}
            columns={scanColumns(scans)}
            keyOf={({ id }) => id}
          />
        </>
      ) : (
        <p className="px-5 pb-5 text-muted max-md:px-4">{t("documents.documentScans.nobodyHasScannedIt")}</p>
      )}
    </section>
  );
}

const Subtitle = ({ text }: { text: string }) => (
  <h3 className="border-t border-base-300 px-5 pt-3 pb-2 text-sm font-semibold max-md:px-4">{text}</h3>
);

const oneLine = (text: string) => <span className="whitespace-nowrap">{text}</span>;

/** Copies have a column if there are several. */
const scanColumns = (scans: Scan[]): Column<Scan>[] => [
  { label: t("common.scanned"), cell: ({ at }) => oneLine(at) },
  ...(scans.some(({ copy }) => copy !== null) ? [copyColumn] : []),
  { label: t("common.where"), cell: (scan) => <ScanPlace scan={scan} /> },
  { label: t("documents.documentScans.verdict"), cell: (scan) => <ScanVerdict scan={scan} /> },
  {
    label: t("common.by"),
    cell: ({ staff }) => (staff ? t("documents.documentScans.staff") : t("documents.documentScans.aVisitor")),
  },
];

const copyColumn: Column<Scan> = { label: t("common.copy"), cell: ({ copy }) => copy ?? "" };

const alertColumns: Column<Alert>[] = [
  {
    label: t("documents.documentScans.openAlert"),
    cell: ({ id, number }) => (
      <a className="main code" translate="no" href={`/alerts/${id}`}>
        {number}
      </a>
    ),
  },
  { label: t("common.alert"), cell: AlertOfCopy },
  { label: t("common.date"), cell: ({ date }) => oneLine(date) },
];

function AlertOfCopy(alert: Alert) {
  return (
    <span>
      <AlertCell {...alert} />
      {alert.copy !== null && <small>{t("common.copyNumber", { copy: alert.copy })}</small>}
    </span>
  );
}
