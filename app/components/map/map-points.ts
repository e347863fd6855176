import type { Bounds } from "#lib/bounds.ts";

export type GeoPoint = { latitude: number; longitude: number };

/** A scan on the map that can be moved, with what its popup says. */
export type MapPoint = GeoPoint & {
  /** Metres, drawn around it while it is open. */
  accuracy: number | null;
  suspicion: boolean;
  title: string;
  text: string;
  links: { to: string; label: string }[];
};

/** Scans that the server has clustered, because there are too many to give each. */
export type MapCell = GeoPoint & { scans: number; suspicions: number; bounds: Bounds };

export type MapPoints = { points: MapPoint[]; cells: MapCell[] };
