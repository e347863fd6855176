import { divIcon, type LatLngTuple, type LeafletKeyboardEvent, type Marker as LeafletMarker } from "leaflet";
import { useEffect, useMemo, useRef } from "react";
import { Marker, useMap } from "react-leaflet";
import { t } from "#lib/messages/staff.ts";
import { clusterRadius, nameOf, shortCount } from "./map-sign.tsx";

/** One scan or several at a place on the map, and what pressing them does. */
export type ScanSign = { at: LatLngTuple; scans: number; suspicions: number; title?: string; press(): void };

/** A marker that looks like the sign of the drawn map. All but `press` stays as it is at first. */
export function ScanMarker({ at, scans, suspicions, title, press }: ScanSign) {
  const map = useMap();
  const marker = useRef<LeafletMarker>(null);
  const sign = nameOf({ scans, suspicions });
  const name = title ? t("components.map.scanMarker.named", { scans: sign, title }) : sign;
  const icon = useMemo(() => iconOf(scans, suspicions), [scans, suspicions]);

  useEffect(() => {
    const element = marker.current?.getElement();
    // Focus that would be lost with the marker moves to the map.
    return () => {
      if (element === document.activeElement) map.getContainer().focus({ preventScroll: true });
    };
  }, [map]);

  return (
    <Marker
      ref={marker}
      position={at}
      icon={icon}
      title={name}
      eventHandlers={{
        add: ({ target }) => target.getElement().setAttribute("aria-label", name),
        click: press,
        keydown({ originalEvent }: LeafletKeyboardEvent) {
          if (![" ", "Enter"].includes(originalEvent.key)) return;
          originalEvent.preventDefault();
          press();
        },
      }}
    />
  );
}

function iconOf(scans: number, suspicions: number) {
  const isCluster = scans > 1;
  const size = isCluster ? clusterRadius(scans) * 2 : 24;
  const look = isCluster ? "map-sign-cluster" : suspicions ? "map-sign-pin" : "map-sign-dot";
  return divIcon({
    className: `map-sign ${look} ${isCluster && suspicions ? "map-sign-warns" : ""}`,
    iconSize: [size, size],
    html: isCluster ? shortCount(scans) : "",
  });
}
