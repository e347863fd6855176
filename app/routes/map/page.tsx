import { Link, useSearchParams } from "react-router";
import type { Bounds } from "#provider/contract/scans.ts";
import { Empty } from "../../components/empty.tsx";
import { showCount, showInstant } from "../../components/format.ts";
import { ListPanel } from "../../components/list-panel.tsx";
import { Map, MapKey } from "../../components/map.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { getUser, may } from "../../server/current-user.ts";
import { draw } from "../../server/drawing.ts";
import { readList } from "../../server/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import { ifShown } from "../../server/provider/failure.ts";
import { tiles } from "../../server/tiles.ts";
import type { Route } from "./+types/page";
import { scanColumns } from "./columns.tsx";
import { wishOf } from "./read-scans.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { wish, bbox, timeZone } = wishOf(context, url);
  const provider = getProvider(context);
  const [part, places, branches] = await Promise.all([
    readList(provider, "listScans", wish),
    provider.scanPlaces({ query: { ...wish.filters, points: "0" } }),
    ifShown(provider.listBranches()),
  ]);
  const { cells, count, is_capped, unplaced } = places;
  const { bbox: _, ...filters } = wish.filters;
  const bounds = bbox ?? places.bounds;
  return {
    part: { ...part, rows: part.rows.map((scan) => ({ ...scan, at: showInstant(scan.at, timeZone) })) },
    filters,
    isPart: bbox !== undefined,
    branches: branches?.map(({ name }) => name) ?? [],
    bounds,
    drawing: await draw(cells, bounds),
    tiles: tiles(),
    counts: { count, is_capped, unplaced },
    mayOpen: may(getUser(context), "docs", "read"),
  };
}

export default function ScansMap({ loaderData }: Route.ComponentProps) {
  const { part, filters, isPart, branches, bounds, drawing, tiles, counts, mayOpen } = loaderData;
  const [parameters] = useSearchParams();
  const withBox = (bbox?: Bounds) => {
    const next = new URLSearchParams(parameters);
    for (const name of ["page", "bbox"]) next.delete(name);
    if (bbox) next.set("bbox", [bbox.west, bbox.south, bbox.east, bbox.north].join());
    return `?${next}`;
  };
  return (
    <>
      <PageTitle title="Map" />
      <div className="page-head">
        <div>
          <h1>Map</h1>
          <p className="lead">{inWords(counts)}</p>
        </div>
      </div>
      <ListPanel
        caption="Scans on the map"
        part={part}
        columns={scanColumns(mayOpen)}
        filterFields={[
          { name: "number", label: "Document number" },
          { name: "date_from", label: "From", isDate: true },
          { name: "date_to", label: "To", isDate: true },
          { name: "index", label: "Post index" },
          { name: "branch", label: "Branch", all: "All branches", choices: branches },
          { name: "kind", label: "Show", boxes: { scans: "Scans", suspicions: "Suspicions" } },
        ]}
        act="Search"
        filters={filters}
        exportAt="/map.csv"
        noMatch="No scan that told where it was made matches the search."
        none={<Empty message="No scan has told where it was made. Those that do appear here and on the map." />}
      >
        <section className="panel mb-4 overflow-hidden" aria-labelledby="where">
          <div className="panel-head flex-wrap">
            <h2 id="where">Where documents were scanned</h2>
            {isPart && (
              <Link className="text-sm font-semibold" to={withBox()} preventScrollReset>
                Show the whole map
              </Link>
            )}
            <MapKey />
          </div>
          <Map
            label="Where documents were scanned"
            drawing={drawing}
            to={({ bounds }) => withBox(around(bounds))}
            tiles={tiles}
            bounds={bounds}
            places={`/map/points?${parameters}`}
          />
        </section>
      </ListPanel>
    </>
  );
}

/** A little more than what lies within, so that a single place has a part of the map around it. */
const around = ({ west, south, east, north }: Bounds): Bounds => {
  const round = (degrees: number) => Number(degrees.toFixed(4));
  const margin = Math.max((east - west) / 20, (north - south) / 20, 0.01);
  return {
    west: round(west - margin),
    south: round(south - margin),
    east: round(east + margin),
    north: round(north + margin),
  };
};

function inWords({ count, is_capped, unplaced }: { count: number; is_capped: boolean; unplaced: number }) {
  const told = is_capped ? `The newest ${count.toLocaleString("en-GB")} scans` : showCount(count, "scan");
  if (unplaced === 0) return `${told} on the map.`;
  return `${told} on the map; ${unplaced.toLocaleString("en-GB")}${unplaced >= 10_000 ? " or more" : ""} did not tell where.`;
}
