import { lazy, type ReactNode, Suspense } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import landUrl from "world-atlas/land-50m.json?url";
import { type Drawing, DrawnMap, type DrawnMark } from "./drawn-map.tsx";
import type { LiveMapProps, Tiles } from "./live-map.client.tsx";

type LiveProps = LiveMapProps & { drawn: ReactNode };

/** Shown once its script and the coasts are there; if either fails, the drawn map stays. */
const LiveMap = lazy(async (): Promise<{ default(props: LiveProps): ReactNode }> => {
  try {
    const [{ LiveMap }, land] = await Promise.all([import("./live-map.client.tsx"), fetchLand()]);
    return { default: (props) => <LiveMap {...props} land={land} /> };
  } catch {
    return { default: ({ drawn }) => drawn };
  }
});

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
  const isHydrated = useHydrated();
  const drawn = <DrawnMap label={label} drawing={drawing} to={to} />;
  return (
    <div className="map">
      {isHydrated && tiles ? (
        <Suspense fallback={drawn}>
          <LiveMap label={label} tiles={tiles} drawn={drawn} {...live} />
        </Suspense>
      ) : (
        drawn
      )}
    </div>
  );
}
