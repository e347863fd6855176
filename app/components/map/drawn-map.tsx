import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import type { GeoPoint } from "./map-points.ts";
import { nameOf, Sign } from "./map-sign.tsx";

/** A scan on the map, or several near to each other. */
export type DrawnMark = GeoPoint & {
  scans: number;
  /** How many of the scans are behind alerts. */
  suspicions: number;
  /** In per cent of the map's width and height. */
  x: number;
  y: number;
  /** The accuracy in units of `land`; 0 for no circle. */
  radius: number;
};
type GridLine = { at: number; label: string };

/** As drawn by `server/map/map-projection.ts`. */
export type Drawing<M extends DrawnMark = DrawnMark> = {
  /** Paths on an area of 960 × 640. */
  land: string[];
  grid: { meridians: GridLine[]; parallels: GridLine[] };
  /** In per cent; `isExtra` ones have room on wide screens only. */
  towns: { name: string; x: number; y: number; isExtra: boolean; isUnderSign: boolean }[];
  marks: M[];
};

type DrawnMapProps<M extends DrawnMark> = {
  label: string;
  drawing: Drawing<M>;
  /** The address that a mark links to; without it, marks are no links. */
  to?: ((mark: M) => string) | undefined;
};

/** The map for browsers without scripts or tiles. */
export function DrawnMap<M extends DrawnMark>({ label, drawing: { land, grid, towns, marks }, to }: DrawnMapProps<M>) {
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
        {towns.length > 0 && (
          <text className="map-degrees" x="100%" y="100%" dx="-6" dy="-6" textAnchor="end">
            {t("components.map.drawnMap.towns")}
          </text>
        )}
        {towns.map(({ name, x, y, isExtra, isUnderSign }) => (
          <g key={`${x} ${y}`} className={isExtra ? "map-town map-town-extra" : "map-town"}>
            <circle cx={`${x}%`} cy={`${y}%`} r="2.5" />
            <text x={`${x}%`} y={`${y}%`} dx={isUnderSign ? 30 : 7} dy="4">
              {name}
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
