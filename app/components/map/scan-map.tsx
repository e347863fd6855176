import { type ComponentType, useEffect, useState } from "react";
import landUrl from "world-atlas/land-50m.json?url";
import { type Drawing, DrawnMap, type DrawnMark } from "./drawn-map.tsx";
import type { LiveMapProps, Tiles } from "./live-map.client.tsx";

/** The map that can be moved, once its script and the coasts are there. */
let LiveMap: ComponentType<LiveMapProps> | undefined;

async function loadLiveMap() {
  const [{ LiveMap: Map }, land] = await Promise.all([import("./live-map.client.tsx"), fetchLand()]);
  LiveMap = (props) => <Map {...props} land={land} />;
}

async function fetchLand() {
  const response = await fetch(landUrl);
  if (!response.ok) throw new Error(`${landUrl} answered ${response.status}`);
  return response.json();
}

type MapProps<M extends DrawnMark> = {
  label: string;
  drawing: Drawing<M>;
  /** Where a mark of the drawn map leads. */
  to?: ((mark: M) => string) | undefined;
  /** Undefined if the installation has switched tiles off. */
  tiles: Tiles | undefined;
} & Pick<LiveMapProps, "bounds" | "points">;

/** A map as the server draws it, replaced by one that can be moved as soon as the browser has its parts. */
export function ScanMap<M extends DrawnMark>({ label, drawing, to, tiles, ...live }: MapProps<M>) {
  const [isLive, setLive] = useState(LiveMap !== undefined);
  useEffect(() => {
    // Until then, and if either part fails, the drawn map stays as it is: a click on it loses nothing.
    void loadLiveMap().then(
      () => setLive(true),
      () => undefined,
    );
  }, []);
  return (
    <div className="map">
      {isLive && LiveMap && tiles ? (
        <LiveMap label={label} tiles={tiles} {...live} />
      ) : (
        <DrawnMap label={label} drawing={drawing} to={to} />
      )}
    </div>
  );
}
