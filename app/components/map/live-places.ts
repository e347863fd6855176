import * as leaflet from "leaflet";
import Supercluster from "supercluster";
import type { Bounds } from "./bounds.ts";
import { clusterRadius, nameOf, shortCount } from "./drawn-map.tsx";

/** What `live-map.tsx` puts on its map: signs for places, taken together where they would overlap. */

/** A place on the map, with what its popup says. */
export type LivePoint = {
  latitude: number;
  longitude: number;
  /** Metres, drawn around it while it is open. */
  accuracy: number | null;
  suspicion: boolean;
  title: string;
  text: string;
  links: { to: string; label: string }[];
};

/** Places that the server has taken together, because there are too many to give each. */
type Cell = {
  latitude: number;
  longitude: number;
  scans: number;
  suspicions: number;
  bounds: Bounds;
};

export type LivePlaces = { points: LivePoint[]; cells: Cell[] };

/** Of the places that were pressed, those that are told of in a popup whose content is `element`. */
export type Opened = { popup: leaflet.Popup; element: HTMLElement; points: LivePoint[]; count: number };

type Heard = { onOpen(opened: Opened | undefined): void; onTrouble(isTrouble: boolean): void };
type Show = { map: leaflet.Map; layer: leaflet.LayerGroup } & Heard;

/** The nearest zoom: beyond it, places that can't be told apart are listed in a popup. */
export const nearest = 18;
/** How many of them. */
const listed = 20;

/**
 * Shows places on a map until the function is called that it returns. Where `places` is an address they are asked for
 * there: once, or again with `bbox` whenever the map is moved, where the answer is in cells.
 */
export function showPlaces(map: leaflet.Map, places: LivePlaces | string, heard: Heard) {
  const layer = leaflet.layerGroup().addTo(map);
  const box = map.getContainer();
  let asking = new AbortController();
  let onMove: (() => void) | undefined;

  async function ask(bbox?: string) {
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    const found = typeof places === "string" ? await fetchPlaces(places, bbox, signal).catch(() => null) : places;
    if (signal.aborted) return;
    heard.onTrouble(found === null);
    if (!found) return;
    const clusters = clustersOf(found.points);
    const draw = () => {
      const pressed = document.activeElement?.closest(".map-sign")?.getAttribute("aria-label");
      layer.clearLayers();
      showCells({ map, layer, ...heard }, found.cells);
      showClusters({ map, layer, ...heard }, found.points, clusters);
      if (found.points.length === 1) haloOf(found.points[0]!, layer);
      if (pressed) keepFocus(box, pressed);
    };
    draw();
    // Cells, and what lay in a part alone, are not all that there is elsewhere.
    onMove = bbox || found.cells.length > 0 ? () => void ask(map.getBounds().toBBoxString()) : draw;
  }

  const move = () => onMove?.();
  const close = () => {
    heard.onOpen(undefined);
    // What had the focus is gone with it.
    if (document.activeElement === document.body) box.focus({ preventScroll: true });
  };
  const escape = ({ key }: KeyboardEvent) => void (key === "Escape" && map.closePopup());
  map.on("moveend", move).on("popupclose", close);
  box.addEventListener("keydown", escape);
  void ask();
  return () => {
    asking.abort();
    map.closePopup();
    map.off("moveend", move).off("popupclose", close);
    box.removeEventListener("keydown", escape);
    layer.remove();
  };
}

/** Where the sign was that was pressed, the same one, or the map if there is no such any more. */
function keepFocus(box: HTMLElement, name: string) {
  const signs = [...box.querySelectorAll<HTMLElement>(".map-sign")];
  const again = signs.find((sign) => sign.getAttribute("aria-label") === name);
  (again ?? box).focus({ preventScroll: true });
}

async function fetchPlaces(source: string, bbox: string | undefined, signal: AbortSignal): Promise<LivePlaces> {
  const url = new URL(source, location.href);
  if (bbox) url.searchParams.set("bbox", bbox);
  const response = await fetch(url, { signal });
  if (!response.ok || response.redirected) throw new Error("The places could not be had");
  return response.json() as Promise<LivePlaces>;
}

function showCells(show: Show, cells: Cell[]) {
  const { map, layer } = show;
  for (const { latitude, longitude, scans, suspicions, bounds } of cells) {
    const corners: leaflet.LatLngTuple[] = [
      [bounds.south, bounds.west],
      [bounds.north, bounds.east],
    ];
    const expand = () =>
      map.getZoom() < nearest
        ? map.fitBounds(leaflet.latLngBounds(corners), { maxZoom: nearest })
        : open(show, [latitude, longitude], [], scans);
    sign([latitude, longitude], { scans, suspicions }, expand).addTo(layer);
  }
}

type Single = { n: number; suspicions: number };
type Several = { suspicions: number };
type Clusters = Supercluster<Single, Several>;

function clustersOf(points: LivePoint[]): Clusters {
  const clusters: Clusters = new Supercluster({
    radius: 50,
    extent: 256,
    maxZoom: nearest,
    map: ({ suspicions }) => ({ suspicions }),
    reduce: (all, one) => void (all.suspicions += one.suspicions),
  });
  return clusters.load(
    points.map(({ longitude, latitude, suspicion }, n) => ({
      type: "Feature",
      geometry: { type: "Point", coordinates: [longitude, latitude] },
      properties: { n, suspicions: suspicion ? 1 : 0 },
    })),
  );
}

/** What lies within the part that the map shows, and a little around it. */
function showClusters(show: Show, points: LivePoint[], clusters: Clusters) {
  const { map, layer } = show;
  const seen = map.getBounds().pad(0.2);
  const box: [number, number, number, number] = [seen.getWest(), seen.getSouth(), seen.getEast(), seen.getNorth()];
  for (const { geometry, properties } of clusters.getClusters(box, Math.floor(map.getZoom()))) {
    const at: leaflet.LatLngTuple = [geometry.coordinates[1]!, geometry.coordinates[0]!];
    if ("cluster_id" in properties) {
      const { cluster_id, point_count, suspicions } = properties;
      const expand = () => {
        const zoom = clusters.getClusterExpansionZoom(cluster_id);
        if (zoom <= nearest) return map.setView(at, zoom);
        const leaves = clusters.getLeaves(cluster_id, listed).map(({ properties: { n } }) => points[n]!);
        return open(show, at, leaves, point_count);
      };
      sign(at, { scans: point_count, suspicions }, expand).addTo(layer);
    } else {
      const point = points[properties.n]!;
      const tell = () => open(show, at, [point], 1);
      sign(at, { scans: 1, suspicions: properties.suspicions }, tell, point.title).addTo(layer);
    }
  }
}

function open({ map, onOpen }: Show, at: leaflet.LatLngTuple, points: LivePoint[], count: number) {
  const element = document.createElement("div");
  element.tabIndex = -1;
  const popup = leaflet
    .popup({ maxWidth: 260, maxHeight: 160, offset: [0, -18] })
    .setLatLng(at)
    .setContent(element)
    .openOn(map);
  if (count === 1) {
    const halo = haloOf(points[0]!, map);
    map.once("popupclose", () => halo?.remove());
  }
  onOpen({ popup, element, points, count });
}

/** How far around it a place may be. */
function haloOf({ latitude, longitude, accuracy }: LivePoint, on: leaflet.Map | leaflet.LayerGroup) {
  const look = { radius: accuracy ?? 0, className: "map-around", interactive: false };
  return accuracy ? leaflet.circle([latitude, longitude], look).addTo(on) : undefined;
}

type Counted = { scans: number; suspicions: number };

/** The same signs as on the drawn map (`drawn-map.tsx`). */
function sign(at: leaflet.LatLngTuple, counted: Counted, act: () => void, title = "") {
  const { scans, suspicions } = counted;
  const name = [nameOf(counted), title].filter(Boolean).join(": ");
  const size = scans > 1 ? clusterRadius(scans) * 2 : 24;
  const look = scans > 1 ? "map-sign-cluster" : suspicions ? "map-sign-pin" : "map-sign-dot";
  const icon = leaflet.divIcon({
    className: `map-sign ${look} ${scans > 1 && suspicions ? "map-sign-warns" : ""}`,
    iconSize: [size, size],
    html: scans > 1 ? shortCount(scans) : "",
  });
  const marker = leaflet.marker(at, { icon, title: name });
  marker.on("add", () => marker.getElement()!.setAttribute("aria-label", name));
  const press = ({ originalEvent }: leaflet.LeafletKeyboardEvent) => {
    if (![" ", "Enter"].includes(originalEvent.key)) return;
    originalEvent.preventDefault();
    act();
  };
  return marker.on("click", act).on("keydown", press);
}
