import { Link } from "react-router";
import { showCount } from "../format.ts";

/** A place on the map, or what several are near to. */
export type Mark = {
  latitude: number;
  longitude: number;
  /** How many it stands for. */
  scans: number;
  /** How many of them are behind alerts. */
  suspicions: number;
  /** In per cent of the map's width and height. */
  x: number;
  y: number;
  /** How far around it the place may be, in the units of `land`; 0 for no circle. */
  radius: number;
};
type GridLine = { at: number; label: string };

/** As `server/map/map-projection.ts` draws it. */
export type Drawing<M extends Mark = Mark> = {
  /** Paths on an area of 960 × 640. */
  land: string[];
  grid: { meridians: GridLine[]; parallels: GridLine[] };
  marks: M[];
};

type DrawnMapProps<M extends Mark> = {
  label: string;
  drawing: Drawing<M>;
  /** Where a mark leads; without it, marks lead nowhere. */
  to?: ((mark: M) => string) | undefined;
};

/** A map that the server has drawn. */
export function DrawnMap<M extends Mark>({ label, drawing: { land, grid, marks }, to }: DrawnMapProps<M>) {
  return (
    <svg className="map-drawn" role={to ? "group" : "img"} aria-label={label}>
      <svg viewBox="0 0 960 640" width="100%" height="100%" preserveAspectRatio="none" aria-hidden="true">
        {land.map((path, n) => (
          <path key={n} className="map-land" d={path} fillRule="evenodd" />
        ))}
        {marks.map(
          ({ x, y, radius }) =>
            radius > 0 && <circle key={`${x} ${y}`} className="map-around" cx={`${x}%`} cy={`${y}%`} r={radius} />,
        )}
      </svg>
      <g aria-hidden="true">
        {grid.meridians.map(({ at, label }) => (
          <g key={label}>
            <line className="map-grid" x1={`${at}%`} x2={`${at}%`} y1="0" y2="100%" />
            <text className="map-degrees" x={`${at}%`} y="100%" dx="4" dy="-6">
              {label}
            </text>
          </g>
        ))}
        {grid.parallels.map(({ at, label }) => (
          <g key={label}>
            <line className="map-grid" x1="0" x2="100%" y1={`${at}%`} y2={`${at}%`} />
            <text className="map-degrees" x="6" y={`${at}%`} dy="-4">
              {label}
            </text>
          </g>
        ))}
      </g>
      {marks.map((mark) => (
        <svg key={`${mark.x} ${mark.y}`} className="overflow-visible" x={`${mark.x}%`} y={`${mark.y}%`}>
          {to ? (
            <Link to={to(mark)} aria-label={nameOf(mark)} preventScrollReset>
              <title>{nameOf(mark)}</title>
              <g className="map-mark">
                <Sign {...mark} />
              </g>
            </Link>
          ) : (
            <Sign {...mark} />
          )}
        </svg>
      ))}
    </svg>
  );
}

/** `12 scans, 2 of them suspicious` */
export function nameOf({ scans, suspicions }: Pick<Mark, "scans" | "suspicions">) {
  if (scans === 1) return suspicions ? "A suspicious scan" : "A scan";
  return `${showCount(scans, "scan")}${suspicions > 0 ? `, ${suspicions.toLocaleString("en-GB")} of them suspicious` : ""}`;
}

/** One scan is a dot, a suspicious one a pin; several are a number, with a small mark where some are suspicious. */
function Sign({ scans, suspicions }: Mark) {
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
