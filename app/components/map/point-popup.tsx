import type { LatLngTuple, LeafletEvent } from "leaflet";
import { useLayoutEffect, useRef } from "react";
import { Popup, useMap } from "react-leaflet";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import type { MapPoint } from "./map-points.ts";

/** A place that was pressed, and of its `count` scans those that are listed. */
export type Opened = { at: LatLngTuple; points: MapPoint[]; count: number };

export function PointPopup({ at, points, count, onClose }: Opened & { onClose(): void }) {
  const map = useMap();
  function close({ target: popup }: LeafletEvent) {
    const { activeElement, body } = document;
    const hadFocus = activeElement === body || popup.getElement().contains(activeElement);
    if (hadFocus) map.getContainer().focus({ preventScroll: true });
    onClose();
  }
  return (
    <Popup position={at} maxWidth={260} maxHeight={160} offset={[0, -18]} eventHandlers={{ remove: close }}>
      <PopupContent points={points} count={count} />
    </Popup>
  );
}

function PopupContent({ points, count }: Omit<Opened, "at">) {
  const content = useRef<HTMLDivElement>(null);
  // Before the user can press a key: focus that came later would go with a popup that is already closed.
  useLayoutEffect(() => content.current!.focus({ preventScroll: true }), []);
  return (
    <div ref={content} tabIndex={-1}>
      {count > points.length && (
        <p>
          {points.length > 0
            ? t("components.map.pointPopup.someOfScans", { count, listed: points.length })
            : t("components.map.pointPopup.tooManyScans", { count })}
        </p>
      )}
      {points.map(({ title, text, links }, n) => (
        <div key={n} className="map-popup">
          <strong>{title}</strong>
          <p>{text}</p>
          {links.map(({ to, label }) => (
            <Link key={to} to={to}>
              {label}
            </Link>
          ))}
        </div>
      ))}
    </div>
  );
}
