import { t } from "#lib/messages/staff.ts";

type Counts = { scans: number; suspicions: number };

/** `12 scans, 2 of them suspicious` */
export function nameOf({ scans, suspicions }: Counts) {
  if (scans === 1) return suspicions ? t("components.map.mapSign.aSuspiciousScan") : t("components.map.mapSign.aScan");
  return suspicions > 0
    ? t("components.map.mapSign.scansAndSuspicions", { scans, suspicions })
    : t("components.map.mapSign.scans", { scans });
}

/** A dot for one scan, a pin for a suspicious one, a number for several; a badge warns of suspicious ones among them. */
export function Sign({ scans, suspicions }: Counts) {
  if (scans > 1) {
    return (
      <>
        <circle className="map-cluster" r={clusterRadius(scans)} />
        <text className="map-count" textAnchor="middle" dy="5">
          {shortCount(scans)}
        </text>
        {suspicions > 0 && <Warning at={clusterRadius(scans) * 0.75} />}
      </>
    );
  }
  return suspicions > 0 ? (
    <>
      <circle className="map-touch" r="16" cy="-12" />
      <path className="map-pin" d="M0 2C-5-6-11-10-11-18A11 11 0 1 1 11-18C11-10 5-6 0 2Z" />
      <circle className="map-eye" cy="-18" r="4" />
    </>
  ) : (
    <>
      <circle className="map-touch" r="16" />
      <circle className="map-dot" r="7" />
    </>
  );
}

/** `12`, `3k` */
export const shortCount = (scans: number) => (scans > 999 ? `${Math.floor(scans / 1000)}k` : String(scans));

export const clusterRadius = (scans: number) => (scans < 10 ? 15 : scans < 100 ? 18 : 22);

const Warning = ({ at }: { at: number }) => (
  <g transform={`translate(${at} ${-at})`}>
    <circle className="map-warning" r="7" />
    <path className="map-exclamation" d="M0-4V1M0 3.6V4" />
  </g>
);
