import { lazy } from "react";
import { Link, useSearchParams } from "react-router";
import { t } from "#lib/messages/staff.ts";
import type { Bounds } from "#lib/bounds.ts";
import { toBbox, withMargin } from "../../components/map/bounds.ts";
import { useDialog } from "../../components/dialog/dialog.tsx";
import { Empty } from "../../components/list/empty.tsx";
import { ErrorSummary } from "../../components/form/error-summary.tsx";
import { formState } from "../../components/form/form-state.ts";
import { showInstant } from "../../components/text/format.ts";
import { ListPanel } from "../../components/list/list-panel.tsx";
import { MapLegend } from "../../components/map/map-legend.tsx";
import { ScanMap } from "../../components/map/scan-map.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { removePlaceDialog } from "../../components/map/removable-scan.ts";
import { getUser, may } from "../../server/sessions/current-user.ts";
import { drawMap } from "../../server/map/map-projection.ts";
import { readForm } from "../../server/forms/forms.ts";
import { dateErrors } from "../../server/lists/date-filters.ts";
import { readList } from "../../server/lists/lists.ts";
import { omitRowsFromHydration } from "../../first-paint/omit-rows.ts";
import { getProvider } from "../../server/provider/context.ts";
import { orUndefinedIfHidden } from "../../server/provider/failure.ts";
import { removePlace, removePlaceForm, removableScan } from "../../server/map/remove-place.ts";
import { tiles } from "../../server/map/tiles.ts";
import { withTowns } from "../../server/map/towns.ts";
import type { Route } from "./+types/page";
import { scanColumns } from "./columns.tsx";
import { parseScanQuery } from "./read-scans.server.ts";

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { query, bbox, isNone, timeZone } = parseScanQuery(context, url);
  const provider = getProvider(context);
  const [part, places, branches] = await Promise.all([
    readList(provider, "listScans", query),
    provider.scanPlaces({ query: { ...query.filters, points: "0" } }),
    orUndefinedIfHidden(provider.listBranches()),
  ]);
  const { cells, count, is_capped } = isNone ? { cells: [], count: 0, is_capped: false } : places;
  const bounds = bbox ?? places.bounds;
  const rows = await withTowns(part.rows.map((scan) => ({ ...scan, at: showInstant(scan.at, timeZone) })));
  return {
    removable: removableScan(rows, url, removePlaceDialog),
    part: omitRowsFromHydration(request, { ...part, rows }),
    filters: query.filters,
    filterErrors: dateErrors(url),
    branches: branches?.map(({ name }) => name) ?? [],
    bounds,
    drawing: await drawMap(cells, bounds),
    tiles: tiles(),
    count,
    unplaced: part.isCapped ? 0 : Math.max(part.total - count, 0),
    isCapped: is_capped,
    isNone,
    isRounded: rows.some(({ place_is_rounded }) => place_is_rounded),
    mayOpen: may(getUser(context), "docs", "read"),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  return removePlace(context, await readForm(request, removePlaceForm), url);
}

/** How many of the table's scans are on the map, and how many have a place in words only. */
function onTheMap({ count, unplaced, isCapped }: { count: number; unplaced: number; isCapped: boolean }) {
  if (isCapped) return t("map.page.newestOnTheMap", { count });
  return unplaced > 0 ? t("map.page.onTheMapAndNot", { count, unplaced }) : t("map.page.onTheMap", { count });
}

/** Loaded when it is opened. */
const RemovePlaceDialog = lazy(() => import("../../components/map/remove-place-dialog.tsx"));

export default function ScansMap({ loaderData, actionData }: Route.ComponentProps) {
  const { part, filterErrors, branches, bounds, drawing, tiles, isNone, isRounded, mayOpen, removable } = loaderData;
  // Without a kind nothing can be misspelt.
  const filters: Record<string, string> = isNone ? {} : loaderData.filters;
  const { openTo, closeTo } = useDialog();
  const [parameters] = useSearchParams();
  const search = new URLSearchParams(parameters);
  for (const name of ["page", "per_page", "sort", "dialog", "at"]) search.delete(name);
  const addressOf = (bounds?: Bounds) => {
    const next = new URLSearchParams(search);
    next.delete("bbox");
    if (bounds) next.set("bbox", toBbox(withMargin(bounds)));
    return `?${next}`;
  };
  return (
    <>
      <PageTitle title={t("common.map")} hasErrors={Boolean(actionData)} />
      <ErrorSummary errors={formState({}, actionData).summary} />
      <div className="page-head">
        <div>
          <h1>{t("common.map")}</h1>
          <p className="lead">
            {onTheMap(loaderData)} {t("map.page.onlySentWithAPlace")}
            {isRounded && ` ${t("map.page.positionsAreRounded")}`}
          </p>
        </div>
      </div>
      <ListPanel
        caption={t("map.page.scansOnTheMap")}
        part={part}
        columns={scanColumns(mayOpen, (id) => openTo(removePlaceDialog, id))}
        filterFields={[
          { name: "number", label: t("common.documentNumber") },
          { name: "date_from", label: t("common.dateFrom"), isDate: true },
          { name: "date_to", label: t("common.dateTo"), isDate: true },
          { name: "branch", label: t("common.branch"), all: t("common.allBranches"), choices: branches },
          {
            name: "kind",
            label: t("map.page.show"),
            boxes: { scans: t("common.scans"), suspicions: t("map.page.suspicions") },
          },
          { name: "index", label: t("map.page.postIndex"), isFolded: true },
        ]}
        isBrief
        submitLabel={t("common.search")}
        filters={filters}
        filterErrors={filterErrors}
        preserve={loaderData.filters.bbox ? { bbox: loaderData.filters.bbox } : undefined}
        exportAt="/map.csv"
        noMatch={t("map.page.noScanMatches")}
        emptyState={<Empty message={isNone ? t("map.page.chooseAKind") : t("map.page.noneYet")} />}
      >
        <section className="panel mb-4 overflow-hidden" aria-labelledby="where">
          <div className="panel-head flex-wrap">
            <h2 id="where">{t("map.page.whereDocumentsWereScanned")}</h2>
            {loaderData.filters.bbox && (
              <Link className="text-sm font-semibold" to={addressOf()} preventScrollReset>
                {t("map.page.showTheWholeMap")}
              </Link>
            )}
            <MapLegend />
          </div>
          <ScanMap
            label={t("map.page.whereDocumentsWereScanned")}
            drawing={drawing}
            to={({ bounds }) => addressOf(bounds)}
            tiles={tiles}
            bounds={bounds}
            points={`/map/points?${search}`}
          />
        </section>
      </ListPanel>
      {removable && <RemovePlaceDialog scan={removable} closeTo={closeTo} />}
    </>
  );
}
