import { useEffect, useState } from "react";
import { useMapEvents } from "react-leaflet";
import type { MapPoints } from "./map-points.ts";
import { ScanMarkers } from "./scan-markers.tsx";

type FetchedMarkersProps = { source: string; onFailure(hasFailed: boolean): void };

/** The scans at the address `source`: all of them, or those of the part in view if there are too many. */
export function FetchedMarkers({ source, onFailure }: FetchedMarkersProps) {
  const [bbox, setBbox] = useState<string>();
  const [loaded, setLoaded] = useState<MapPoints>();
  const isPartial = bbox !== undefined || (loaded && loaded.cells.length > 0);
  useMapEvents({ moveend: ({ target }) => isPartial && setBbox(target.getBounds().toBBoxString()) });

  useEffect(() => {
    const request = new AbortController();
    const show = (points: MapPoints | undefined) => {
      if (request.signal.aborted) return;
      onFailure(!points);
      if (points) setLoaded(points);
    };
    fetchPoints(source, bbox, request.signal).then(show, () => show(undefined));
    return () => request.abort();
  }, [source, bbox, onFailure]);

  return loaded && <ScanMarkers {...loaded} />;
}

async function fetchPoints(source: string, bbox: string | undefined, signal: AbortSignal): Promise<MapPoints> {
  const url = new URL(source, location.href);
  if (bbox) url.searchParams.set("bbox", bbox);
  const response = await fetch(url, { signal });
  if (!response.ok || response.redirected) throw new Error(`${url.pathname} answered ${response.status}`);
  return response.json() as Promise<MapPoints>;
}
