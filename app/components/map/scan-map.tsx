import { lazy, type ReactNode, Suspense } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import { type Drawing, DrawnMap, type Mark } from "./drawn-map.tsx";
import type { LiveMapProps, Tiles } from "./live-map.tsx";

type LiveProps = LiveMapProps & { drawn: ReactNode };

/** Where the script can't be had, the drawn map stays. */
const LiveMap = lazy((): Promise<{ default(props: LiveProps): ReactNode }> =>
  import("./live-map.tsx").catch(() => ({ default: ({ drawn }) => drawn })),
);

type MapProps<M extends Mark> = {
  label: string;
  drawing: Drawing<M>;
  /** Where a mark of the drawn map leads. */
  to?: ((mark: M) => string) | undefined;
  /** Not set where the installation has switched them off. */
  tiles: Tiles | undefined;
} & Pick<LiveMapProps, "bounds" | "places">;

/** A map as the server draws it; one that can be moved takes its place as soon as the browser has its script. */
export function ScanMap<M extends Mark>({ label, drawing, to, tiles, ...live }: MapProps<M>) {
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

/** The signs of both maps beside their words: shape and colour alone say nothing to those who see them first. */
export const MapLegend = () => (
  <p className="legend-row">
    <span>
      <i className="key-dot" />
      Scan
    </span>
    <span>
      <i className="key-pin" />
      Suspicion
    </span>
    <span>
      <i className="key-cluster">3</i>
      Several
    </span>
  </p>
);
