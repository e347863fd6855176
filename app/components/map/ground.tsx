import { type LatLngBounds, type LatLngTuple, svg } from "leaflet";
import { useLayoutEffect, useMemo, useState } from "react";
import { Polygon, Polyline, useMapEvents } from "react-leaflet";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";

export type LandTopology = Topology<{ land: GeometryCollection }>;

/** In sizes of the map on each side of it, for what is dragged into view. */
const margin = 0.5;
const pane = "ground";

/** Coasts and a grid of degrees under the tiles: what is seen before tiles come, and if they can't be had. */
export function Ground({ topology }: { topology: LandTopology }) {
  const map = useMapEvents({ moveend: () => setView(map.getBounds().pad(margin)) });
  const [view, setView] = useState(() => map.getBounds().pad(margin));
  const shapes = useMemo(() => shapesOf(topology), [topology]);
  const land = useMemo(() => shapesIn(view, shapes), [view, shapes]);
  const grid = useMemo(() => gridIn(view), [view]);
  const renderer = useMemo(() => svg({ pane, padding: margin }), []);
  useLayoutEffect(() => void (map.getPane(pane) ?? map.createPane(pane)), [map]);
  const shared = { renderer, interactive: false };
  return (
    <>
      <Polygon {...shared} className="map-land" positions={land} stroke={false} fillOpacity={1} />
      <Polyline {...shared} className="map-grid" positions={grid} weight={1} />
    </>
  );
}

type Shape = { corners: [LatLngTuple, LatLngTuple]; rings: LatLngTuple[][] };

function shapesOf(topology: LandTopology): Shape[] {
  const { features } = feature(topology, topology.objects.land);
  const polygons = features.flatMap(({ geometry }) => (geometry.type === "MultiPolygon" ? geometry.coordinates : []));
  return polygons.map((polygon) => {
    const rings = polygon.map((ring) => unwrap(ring.map(([longitude, latitude]) => [latitude!, longitude!])));
    const [latitudes, longitudes] = [0, 1].map((n) => rings[0]!.map((point) => point[n]!)) as [number[], number[]];
    const south = [Math.min(...latitudes), Math.min(...longitudes)] as LatLngTuple;
    return { corners: [south, [Math.max(...latitudes), Math.max(...longitudes)]], rings };
  });
}

/** Lets longitudes go on beyond 180° where a ring crosses the date line. A ring around a pole stays as it is. */
function unwrap(ring: LatLngTuple[]): LatLngTuple[] {
  let turns = 0;
  const unwrapped = ring.map(([latitude, longitude], n): LatLngTuple => {
    turns -= Math.round((longitude - (ring[n - 1]?.[1] ?? longitude)) / 360);
    return [latitude, longitude + turns * 360];
  });
  return turns === 0 ? unwrapped : ring;
}

/** Shapes in view, in each of the worlds side by side. Leaflet projects all it is given at each zoom: 60,000 points. */
function shapesIn(view: LatLngBounds, shapes: Shape[]): LatLngTuple[][][] {
  const worldOf = (longitude: number) => Math.floor((longitude + 180) / 360);
  const polygons: LatLngTuple[][][] = [];
  // A shape that crosses the date line reaches into the next world.
  for (let world = worldOf(view.getWest()) - 1; world <= worldOf(view.getEast()) + 1; world++) {
    const shift = ([latitude, longitude]: LatLngTuple): LatLngTuple => [latitude, longitude + world * 360];
    for (const { corners, rings } of shapes) {
      if (!view.intersects(corners.map(shift) as Shape["corners"])) continue;
      polygons.push(world === 0 ? rings : rings.map((ring) => ring.map(shift)));
    }
  }
  return polygons;
}

/** Meridians and parallels in round degrees, one to ten of each across the map. */
function gridIn(view: LatLngBounds): LatLngTuple[][] {
  const [west, south, east, north] = [view.getWest(), view.getSouth(), view.getEast(), view.getNorth()];
  const step = 10 ** Math.floor(Math.log10(east - west)) / 2;
  const multiples = (from: number, to: number) =>
    Array.from(
      { length: Math.floor(to / step) - Math.ceil(from / step) + 1 },
      (_, n) => (Math.ceil(from / step) + n) * step,
    );
  return [
    ...multiples(west, east).map((longitude): LatLngTuple[] => [
      [south, longitude],
      [north, longitude],
    ]),
    ...multiples(south, north).map((latitude): LatLngTuple[] => [
      [latitude, west],
      [latitude, east],
    ]),
  ];
}
