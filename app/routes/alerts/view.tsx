import { lazy } from "react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import type { Alert } from "#provider/contract/alerts.ts";
import { toBbox, withMargin } from "../../components/map/bounds.ts";
import { AlertCell } from "../../components/scan/alert-cell.tsx";
import { historyInWords } from "../../components/record/audit-words.server.ts";
import { BackLink } from "../../components/frame/back-link.tsx";
import { More } from "../../components/frame/more.tsx";
import { useDialog } from "../../components/dialog/dialog.tsx";
import { ErrorSummary } from "../../components/form/error-summary.tsx";
import { formState } from "../../components/form/form-state.ts";
import { History, withHistory } from "../../components/record/history.tsx";
import { ScanMap } from "../../components/map/scan-map.tsx";
import { showInstantYearFirst } from "../../components/text/format.ts";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { removePlaceDialog } from "../../components/map/removable-scan.ts";
import { Table } from "../../components/list/table.tsx";
import { Tabs, useTab } from "../../components/frame/tabs.tsx";
import { getOffers, getUser, may, requireOffer, timeZoneOf } from "../../server/sessions/current-user.ts";
import { readHistory } from "../../server/history.ts";
import { getProvider } from "../../server/provider/context.ts";
import { readForm } from "../../server/forms/forms.ts";
import { removePlace, removePlaceForm, removableScan } from "../../server/map/remove-place.ts";
import { alertActions, isCompleted } from "./alert-actions.ts";
import { AlertFacts, Reason, titleOf } from "./alert-facts.tsx";
import { mapOf, whyNoMap } from "./alert-map.server.ts";
import { OwnerButtons } from "./owner-buttons.tsx";
import { EvidenceLink } from "./evidence-link.tsx";
import { readAlert, readCase } from "./read-case.server.ts";
import { withTowns } from "../../server/map/towns.ts";
import { alertForms, saveAlert } from "./save-alert.server.ts";
import { SimilarAlerts } from "./similar-alerts.tsx";
import { scanColumns } from "./columns.tsx";
import { removeCommentDialog } from "./comment-dialog.ts";
import { Comments } from "./comments.tsx";
import type { Route } from "./+types/view";

/** Loaded when it is opened. */
const ActionDialog = lazy(() => import("./action-dialog.tsx"));

export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  const provider = getProvider(context);
  const user = getUser(context);
  const timeZone = timeZoneOf(user);
  const alert = await readAlert(context, request, params);
  // Another provider has single alerts only (`docs/specification.md` section 7).
  const offers = getOffers(context);
  const [scans, history, cased] = offers.alerts
    ? await Promise.all([
        provider.listAlertScans({ params }),
        readHistory(context, "alertHistory", { params, url }).then(historyInWords),
        readCase(context, alert, params, url),
      ])
    : [];
  const behind = await withTowns(
    (scans ?? []).map((scan) => ({ ...scan, at: showInstantYearFirst(scan.at, timeZone) })),
  );
  const [located] = await withTowns([alert]);
  const places = [...new Set(behind.map(({ place }) => place))].filter(Boolean).slice(0, 3);
  const map = await mapOf(alert);
  return {
    scans: behind,
    removable: removableScan(behind, url, removePlaceDialog),
    alert: {
      ...located!,
      reason: reasonOf(alert),
      date: showInstantYearFirst(alert.date, timeZone),
      other_places: await withTowns(
        alert.other_places.map((one) => ({ ...one, at: showInstantYearFirst(one.at, timeZone) })),
      ),
    },
    places,
    cased,
    history,
    map,
    noMap: map ? "" : whyNoMap(offers.alerts && behind.length === 0, places),
    userId: user.id,
    hasList: offers.alerts,
    hasEvidence: offers.evidence,
    mayOpenMap: offers.map && may(user, "map", "read"),
    mayChange: offers.alerts && may(user, "alerts", "write"),
    mayOpen: offers.alerts && alert.document_id !== null && may(user, "docs", "read"),
  };
}

/** Other providers may answer with nothing of use (`docs/specification.md` section 7). */
const reasonOf = ({ reason, number, alert, document, date }: Alert) =>
  reason || (number || alert || document || date ? "" : t("alerts.view.noDetails"));

/** Saves one of the page's forms, or removes the place of a scan. */
export async function action({ request, context, params, url }: Route.ActionArgs) {
  requireOffer(context, "alerts");
  const form = await readForm(request, ...alertForms, removePlaceForm);
  if (form.get("intent") === removePlaceDialog) return removePlace(context, form, url);
  return saveAlert(context, params, form);
}

const scanTabs = [{ id: "scans", label: t("common.scans") }];

/** Loaded when it is opened. */
const RemovePlaceDialog = lazy(() => import("../../components/map/remove-place-dialog.tsx"));
const RemoveCommentDialog = lazy(() => import("./remove-comment-dialog.tsx"));

export default function AlertView({ loaderData, actionData }: Route.ComponentProps) {
  const { alert, hasList, places, scans, history, map, noMap, cased, removable } = loaderData;
  const { hasEvidence, mayChange, mayOpen, mayOpenMap } = loaderData;
  const tabs = withHistory(scans.length > 0 ? scanTabs : [], history);
  const tab = useTab(tabs);
  const { open, openTo, closeTo } = useDialog();
  const title = titleOf(alert);
  const reply = formState({}, actionData);
  const isComment = reply.values.intent === "comment";
  const offered = alertActions.find(({ isOffered }) => isOffered(alert))!;
  return (
    <>
      <PageTitle title={title} hasErrors={Boolean(actionData)} />
      {(!(mayChange && open) || isComment) && <ErrorSummary errors={reply.summary} />}
      {hasList && <BackLink to="/alerts">{t("common.backToTheListOfAlerts")}</BackLink>}
      <div className="page-head mt-2">
        <div>
          <h1>{title}</h1>
          <Reason alert={alert} scans={scans} />
        </div>
        <div className="page-acts">
          {mayChange && (
            <Link
              className={`btn ${offered.intent === "complete" ? "btn-primary" : "btn-quiet"}`}
              to={openTo(offered.intent)}
              preventScrollReset
            >
              {offered.label}
            </Link>
          )}
          {mayChange && cased && !isCompleted(alert) && (
            <OwnerButtons alert={alert} userId={loaderData.userId} assignAt={openTo("assign")} />
          )}
          {hasEvidence && (
            <More>
              <EvidenceLink id={alert.id} />
            </More>
          )}
        </div>
      </div>
      <div className={`mb-6 grid gap-5 ${map ? "xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]" : "max-w-[44rem]"}`}>
        <section className="panel" aria-labelledby="details">
          <div className="p-5 pb-2 max-md:p-4 max-md:pb-1">
            <h2 className="sr-only" id="details">
              {t("alerts.view.alertDetails")}
            </h2>
            {alert.alert && <AlertCell alert={alert.alert} status={alert.status} />}
            <div className="mt-2">
              <AlertFacts alert={alert} places={places} mayOpen={mayOpen} isNarrow={map !== undefined} />
            </div>
            {noMap && <p className="py-3 text-sm text-muted">{noMap}</p>}
          </div>
        </section>
        {map && (
          <section className="panel flex flex-col overflow-hidden [&>.map]:flex-auto" aria-labelledby="where">
            <div className="panel-head">
              <h2 id="where">{t("alerts.view.whereItWasScanned")}</h2>
              {mayOpenMap && (
                <Link className="text-sm font-semibold" to={`/map?bbox=${toBbox(withMargin(map.bounds))}`}>
                  {t("alerts.view.openOnTheMap")}
                </Link>
              )}
            </div>
            <ScanMap label={t("alerts.view.whereItWasScanned")} {...map} />
          </section>
        )}
      </div>
      {tabs.length > 0 && (
        <section className="panel mb-6 overflow-hidden">
          <Tabs label={t("common.alert")} tabs={tabs} />
          <h2 className="sr-only">{tabs.find(({ id }) => id === tab)!.label}</h2>
          {tab === "history" && history ? (
            <History history={history} />
          ) : (
            <Table
              caption={t("common.scans")}
              rows={scans}
              columns={scanColumns((id) => openTo(removePlaceDialog, id))}
              keyOf={({ id }) => id}
            />
          )}
        </section>
      )}
      {cased && (
        <Comments
          comments={cased.comments}
          colleagues={cased.colleagues}
          mayWrite={mayChange}
          userId={loaderData.userId}
          reply={isComment ? actionData : undefined}
          toRemove={(id) => openTo(removeCommentDialog, id)}
        />
      )}
      {cased && <SimilarAlerts alerts={cased.similar} />}
      {cased?.removable && <RemoveCommentDialog comment={cased.removable} closeTo={closeTo} />}
      {removable && <RemovePlaceDialog scan={removable} closeTo={closeTo} />}
      {mayChange && open && <ActionDialog alert={alert} reply={isComment ? undefined : actionData} />}
    </>
  );
}
