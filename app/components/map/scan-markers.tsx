import type { LatLngTuple, Map } from "leaflet";
import { useMemo, useState } from "react";
import { nearestTo } from "#lib/bounds.ts";
import { Circle, useMapEvents } from "react-leaflet";
import { cornersOf } from "./bounds.ts";
import { Clusters, maxZoom } from "./clusters.ts";
import type { MapPoint, MapPoints } from "./map-points.ts";
import { type Opened, PointPopup } from "./point-popup.tsx";
import { ScanMarker, type ScanSign } from "./scan-marker.tsx";

/** How many points a popup lists. */
const maxListed = 20;

/** Markers of scans, clustered where they would overlap, and the popup of the one that was pressed. */
export function ScanMarkers({ points, cells }: MapPoints) {
  const map = useMapEvents({ moveend: () => setView(viewOf(map)) });
  const [view, setView] = useState(() => viewOf(map));
  const [opened, setOpened] = useState<Opened & { nth: number }>();
  const open = (next: Opened) => setOpened((last) => ({ ...next, nth: (last?.nth ?? 0) + 1 }));
  const clusters = useMemo(() => new Clusters(points, cells), [points, cells]);
  const signs = clusters.within(view.bbox, view.zoom).map((cluster) => signOfCluster(cluster, clusters, map, open));
  const single = opened?.count === 1 ? opened.points[0] : points.length === 1 ? points[0] : undefined;
  return (
    <>
      {signs.map((sign) => (
        <ScanMarker key={[...sign.at, sign.scans, sign.suspicions, sign.title].join()} {...sign} />
      ))}
      {single?.accuracy && (
        <Circle
          className="map-around"
          center={[single.latitude, nearestTo((view.bbox[0] + view.bbox[2]) / 2, single.longitude)]}
          radius={single.accuracy}
          interactive={false}
        />
      )}
      {opened && <PointPopup key={opened.nth} {...opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

/** The zoom for clusters, and what is in view with a margin. */
function viewOf(map: Map) {
  const bounds = map.getBounds().pad(0.2);
  const bbox: [number, number, number, number] = [
    bounds.getWest(),
    bounds.getSouth(),
    bounds.getEast(),
    bounds.getNorth(),
  ];
  return { bbox, zoom: Math.floor(map.getZoom()) };
}

type Open = (opened: Opened) => void;

function signOfCluster(
  { geometry, properties }: ReturnType<Clusters["within"]>[number],
  clusters: Clusters,
  map: Map,
  open: Open,
): ScanSign {
  const at: LatLngTuple = [geometry.coordinates[1]!, geometry.coordinates[0]!];
  const { scans, suspicions, bounds, point } = properties;
  if (point) {
    return { at, scans, suspicions, title: point.title, press: () => open({ at, points: [point], count: 1 }) };
  }
  const list = (points: MapPoint[]) => open({ at, points, count: scans });
  if (!("cluster_id" in properties)) {
    const press = () => (map.getZoom() < maxZoom ? void map.fitBounds(cornersOf(bounds), { maxZoom }) : list([]));
    return { at, scans, suspicions, press };
  }
  const { cluster_id } = properties;
  const press = () => {
    const zoom = clusters.expansionZoom(cluster_id);
    if (zoom <= maxZoom) return void map.setView(at, zoom);
    list(clusters.pointsOf(cluster_id, maxListed));
  };
  return { at, scans, suspicions, press };
}
