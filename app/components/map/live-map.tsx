import "./live-map.css";
import * as leaflet from "leaflet";
import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { Link } from "react-router";
import type { Bounds } from "./bounds.ts";
import { showCount } from "../format.ts";
import { type LivePlaces, type LivePoint, nearest, type Opened, showPlaces } from "./live-places.ts";

/** Where the pictures of a map come from. */
export type Tiles = { url: string; attribution: string };

export type LiveMapProps = {
  label: string;
  tiles: Tiles;
  /** What is to be seen at first; the fixed start where there is nothing. */
  bounds: Bounds | null;
  /** The places, or where to ask for them. */
  places: LivePlaces | string;
};

/** `docs/specification.md`, sections 2 and 9. */
const start = { at: [53.4808, -2.2426] as leaflet.LatLngTuple, zoom: 10.75 };

/** A map that can be moved, with tiles from another server. Browsers fetch its code after the page. */
export default function LiveMap({ label, tiles, bounds, places }: LiveMapProps) {
  const box = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<leaflet.Map>();
  const [opened, setOpened] = useState<Opened>();
  const [hasNoTiles, setNoTiles] = useState(false);
  const [hasNoPlaces, setNoPlaces] = useState(false);

  useEffect(() => {
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const still = { zoomAnimation: false, fadeAnimation: false, markerZoomAnimation: false, inertia: false };
    const options = {
      zoomSnap: 0.25,
      scrollWheelZoom: false,
      attributionControl: false,
      maxZoom: nearest,
      ...(isStill && still),
    };
    const map = leaflet.map(box.current!, options).setView(start.at, start.zoom);
    // Who turns the wheel over it wants to go on down the page, unless the map was pressed.
    map.on("focus", () => map.scrollWheelZoom.enable()).on("blur", () => map.scrollWheelZoom.disable());
    setMap(map);
    return () => void map.remove();
  }, []);

  useEffect(() => {
    const layer = map && leaflet.tileLayer(tiles.url, { maxZoom: nearest }).addTo(map);
    let hasSome = false;
    layer?.on("tileerror", () => hasSome || setNoTiles(true));
    layer?.on("tileload", () => {
      hasSome = true;
      setNoTiles(false);
    });
    return () => void layer?.remove();
  }, [map, tiles.url]);

  const fitted = bounds && [bounds.south, bounds.west, bounds.north, bounds.east].join();
  useEffect(() => {
    if (!map || !fitted) return;
    const [south, west, north, east] = fitted.split(",").map(Number) as [number, number, number, number];
    const corners: leaflet.LatLngTuple[] = [
      [south, west],
      [north, east],
    ];
    map.fitBounds(leaflet.latLngBounds(corners), { maxZoom: 14, padding: [40, 40], animate: false });
  }, [map, fitted]);

  useEffect(() => map && showPlaces(map, places, { onOpen: setOpened, onTrouble: setNoPlaces }), [map, places]);

  return (
    <>
      <div ref={box} className="map-live" role="group" aria-label={label} />
      {opened && createPortal(<Popup {...opened} />, opened.element)}
      <p className="map-credit">
        <Credit text={tiles.attribution} />
      </p>
      <p className="map-trouble" role="status">
        {hasNoPlaces
          ? "The scans can’t be shown on the map at the moment; the table has them. Load the page again."
          : hasNoTiles && "The background of the map can’t be loaded at the moment. The places are right all the same."}
      </p>
    </>
  );
}

/** What is told of the places that were opened. */
function Popup({ popup, element, points, count }: Opened) {
  useEffect(() => {
    // Its size is that of its content, which is known only now.
    popup.update();
    element.focus({ preventScroll: true });
  }, [popup, element]);
  return (
    <>
      {count > points.length && (
        <p>
          {showCount(count, "scan")} at this place
          {points.length > 0 ? `; ${points.length} of them:` : ". Search for fewer to see each."}
        </p>
      )}
      {points.map((point, n) => (
        <Told key={n} {...point} />
      ))}
    </>
  );
}

const Told = ({ title, text, links }: LivePoint) => (
  <div className="map-popup">
    <strong>{title}</strong>
    <p>{text}</p>
    {links.map(({ to, label }) => (
      <Link key={to} to={to}>
        {label}
      </Link>
    ))}
  </div>
);

/** OpenStreetMap asks that its name leads to its terms. */
const Credit = ({ text }: { text: string }) =>
  text.includes("OpenStreetMap") ? <a href="https://www.openstreetmap.org/copyright">{text}</a> : text;
