import { t } from "#lib/messages/staff.ts";
import "./live-map.css";
import { useEffect, useState } from "react";
import { MapContainer, TileLayer, useMap } from "react-leaflet";
import type { Bounds } from "#lib/bounds.ts";
import { cornersOf } from "./bounds.ts";
import { maxZoom } from "./clusters.ts";
import { FetchedMarkers } from "./fetched-markers.tsx";
import { Ground, type LandTopology } from "./ground.tsx";
import type { MapPoints } from "./map-points.ts";
import { ScanMarkers } from "./scan-markers.tsx";

export type Tiles = { url: string; attribution: string };

export type LiveMapProps = {
  label: string;
  tiles: Tiles;
  /** What is in view at first; null for the fixed start. */
  bounds: Bounds | null;
  /** What is shown, or the address that returns it. */
  points: MapPoints | string;
};

/** `docs/specification.md`, sections 2 and 9. */
const start = { center: [53.4808, -2.2426] as [number, number], zoom: 10.75 };
const fit = { maxZoom: 14, padding: [40, 40] as [number, number], animate: false };
const still = { zoomAnimation: false, fadeAnimation: false, markerZoomAnimation: false, inertia: false };

/** A map that can be moved: coasts, tiles over them, and the scans. */
export function LiveMap({ label, tiles, bounds, points, land }: LiveMapProps & { land: LandTopology }) {
  const [hasFailed, setFailed] = useState(false);
  const view = bounds ? { bounds: cornersOf(bounds), boundsOptions: fit } : start;
  return (
    <>
      <MapContainer
        className="map-live"
        {...view}
        zoomSnap={0.25}
        maxZoom={maxZoom}
        scrollWheelZoom={false}
        attributionControl={false}
        {...(matchMedia("(prefers-reduced-motion: reduce)").matches && still)}
      >
        <Controls label={label} />
        {bounds && <FitBounds {...bounds} />}
        <Ground topology={land} />
        <TileLayer url={tiles.url} maxZoom={maxZoom} />
        {typeof points === "string" ? (
          <FetchedMarkers key={points} source={points} onFailure={setFailed} />
        ) : (
          <ScanMarkers {...points} />
        )}
      </MapContainer>
      <p className="map-credit">
        <Credit text={tiles.attribution} />
      </p>
      <p className="map-failure" role="status">
        {hasFailed && t("components.map.liveMapClient.scansCantBeShown")}
      </p>
    </>
  );
}

/** Names the map, closes popups by Escape, and zooms by the wheel only while the map has focus. */
function Controls({ label }: { label: string }) {
  const map = useMap();
  useEffect(() => {
    map.on("focus", () => map.scrollWheelZoom.enable()).on("blur", () => map.scrollWheelZoom.disable());
  }, [map]);
  useEffect(() => {
    const container = map.getContainer();
    container.setAttribute("role", "group");
    container.setAttribute("aria-label", label);
    const closeByEscape = ({ key }: KeyboardEvent) => void (key === "Escape" && map.closePopup());
    container.addEventListener("keydown", closeByEscape);
    return () => container.removeEventListener("keydown", closeByEscape);
  }, [map, label]);
  return null;
}

function FitBounds({ south, west, north, east }: Bounds) {
  const map = useMap();
  useEffect(() => {
    map.fitBounds(cornersOf({ south, west, north, east }), fit);
  }, [map, south, west, north, east]);
  return null;
}

/** OpenStreetMap requires that its name links to its terms. */
const Credit = ({ text }: { text: string }) =>
  text.includes("OpenStreetMap") ? <a href="https://www.openstreetmap.org/copyright">{text}</a> : text;
