import { lazy, type ReactNode, useEffect, useMemo } from "react";
import { Outlet, redirectDocument, useLocation, useNavigation, useRouteLoaderData } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { imageSrc } from "../../components/user/avatar.tsx";
import { useConnection } from "../../components/frame/connection.ts";
import { useDialog } from "../../components/dialog/dialog.tsx";
import { useFirstEvent } from "../../components/frame/first-event.ts";
import { ifThere } from "../../components/frame/missing-scripts.ts";
import { noReplyOf } from "../../components/frame/no-reply.ts";
import { keepNotice, Notice, useNotice } from "../../components/frame/notice.tsx";
import { LoneProblem, PageProblem } from "../../components/frame/problem.tsx";
import { Sidebar } from "../../components/frame/sidebar.tsx";
import { Topbar } from "../../components/frame/topbar.tsx";
import { appLinks } from "../../app-links.ts";
import type { loader as rootLoader } from "../../root.tsx";
import { headerMaxPages } from "#provider/contract/users.ts";
import { getOffers, getUser, may, mayInCompany, signedInOnly } from "../../server/sessions/current-user.ts";
import { listState } from "../../server/lists/list-state.ts";
import { loadedDocuments } from "../../server/lists/loaded-documents.ts";
import { auditRefusedPages } from "../../server/sessions/refused-pages.ts";
import { isSearchKeyOn } from "../../server/request/search-key.ts";
import { isRestoring } from "../../server/request/request-context.ts";
import { allowMaps } from "../../server/request/security.ts";
import { wasLossy } from "../../server/provider/learned.ts";
import { ownPlanName } from "../../server/provider/own-reference.ts";
import { zoneOf } from "../../server/provider/time-zone.ts";
import { takeNotice, takeRefusal } from "../../server/sessions/session.ts";
import { settingsOf } from "../../server/sessions/settings.ts";
import type { Route } from "./+types/layout";
import { navigationTo, shownPages } from "./navigation.ts";

export const middleware: Route.MiddlewareFunction[] = [listState, allowMaps, signedInOnly, auditRefusedPages];

export const links = appLinks;

export const handle = { scripts: true };

export async function loader({ request, context }: Route.LoaderArgs) {
  const user = getUser(context);
  const offers = getOffers(context);
  // Before anything is awaited: a page's loader meanwhile may leave a notice for where it leads to.
  const notice = takeNotice(context);
  const refusal = takeRefusal(context);
  return {
    userId: user.id,
    name: user.name || user.email,
    image: imageSrc("profile", user.imageUrl),
    self: offers.profile ? "/profile" : `/users/view/${user.id}`,
    company: user.company?.name ?? "",
    plan: user.plan?.name ?? ownPlanName(context),
    hasTariffs: may(user, "tariffs", "read"),
    hasSettings: settingsOf(context).length > 0,
    documents: user.usage?.documents ?? (await countLoaded(context)),
    hasMore: user.usage?.documents_capped ?? false,
    maxPages: user.usage?.max_pages ?? headerMaxPages,
    searchKeys: offers.search ? ((await isSearchKeyOn(request)) ? "/ Control+K" : "Control+K") : undefined,
    pages: shownPages(
      ({ area, right, inCompany, offer }) =>
        (offer === "always" || offers[offer]) && (inCompany ? mayInCompany : may)(user, area, right),
    ),
    waiting: { "/alerts": user.alerts_open ?? 0, "/documents/list": user.awaiting_release ?? 0 },
    unknownZone: zoneOf(user.company?.timezone).unknown,
    isLossy: wasLossy(),
    notice,
    refusal,
    unsaved: isRestoring() && t("signed-in.layout.notSavedYet"),
  };
}

/**
 * Returns the last frame if the network fails, so that the page can say so. What another user opens, who signed in in another
 * tab, begins with a new document.
 */
export async function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs) {
  try {
    const frame = await serverLoader();
    const isOtherPage = request.url !== location.href.replace(/#.*/, "");
    if (isOtherPage && lastFrame && lastFrame.userId !== frame.userId) throw redirectDocument(request.url);
    keepNotice(frame.notice);
    return frame;
  } catch (error) {
    if (!noReplyOf(error) || !lastFrame) throw error;
    return lastFrame;
  }
}

/** The last loaded frame. */
let lastFrame: Awaited<ReturnType<typeof loader>> | undefined;

/** The number of documents; null if the provider fails, which the page reports. */
async function countLoaded(context: Route.LoaderArgs["context"]) {
  try {
    return (await loadedDocuments(context)).length;
  } catch {
    return null;
  }
}

export default function SignedInLayout({ loaderData }: Route.ComponentProps) {
  return (
    <Frame {...loaderData}>
      <Outlet />
    </Frame>
  );
}

/** A page's error inside the frame, or without it if the frame failed. */
export function ErrorBoundary({ loaderData }: Route.ErrorBoundaryProps) {
  if (!loaderData) return <LoneProblem />;
  return (
    <Frame {...loaderData}>
      <PageProblem />
    </Frame>
  );
}

/** Fetched when it is opened. */
const LogoutDialog = lazy(() => import("./logout-dialog.tsx"));

const loadInteraction = () => ifThere(() => import("../../components/frame/interaction.tsx"));

/** Used from the first touch of the page. Without it the page works like one without scripts. */
const Interaction = lazy(async () => (await loadInteraction()) ?? { default: (): ReactNode => null });

/** After which a page that was not used yet fetches it all the same: an upgrade may take it away. */
const untilFetchedMs = 5000;

/**
 * Whether the browser has translated the page: it puts elements of its own in place of texts, which React would go on
 * changing unseen. Each page is then made anew.
 */
const isTranslated = () => typeof document !== "undefined" && document.querySelector(".frame font") !== null;

type FrameProps = Route.ComponentProps["loaderData"] & { children: ReactNode };

/** The frame of every page behind the sign-in: navigation, header, notices. */
function Frame({ children, ...loaded }: FrameProps) {
  const root = useRouteLoaderData<typeof rootLoader>("root");
  const { pages, notice, refusal, waiting, userId: _, unsaved, unknownZone, isLossy, ...header } = loaded;
  const first = useFirstEvent();
  const { state } = useNavigation();
  const { key } = useLocation();
  const { open, closeTo } = useDialog();
  const heldBack = useConnection();
  const shownNotice = useNotice(notice);
  useEffect(() => void (lastFrame = loaded));
  useEffect(() => {
    const timer = setTimeout(() => void loadInteraction(), untilFetchedMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <a className="skip-link" href="#main">
        {t("common.skipToMainContent")}
      </a>
      <p className="progress" role="status">
        {state !== "idle" && <span>{t("common.loading")}</span>}
      </p>
      <div className="frame" key={useMemo(() => (isTranslated() ? key : ""), [key])}>
        <Sidebar entries={navigationTo(pages)} waiting={waiting} theme={root?.theme ?? "auto"} />
        <div className="frame-content">
          <Topbar {...header} />
          {shownNotice && <Notice key={shownNotice} text={shownNotice} />}
          {refusal && <Notice key={refusal} text={refusal} isRefusal />}
          {heldBack > 0 && <Notice key={heldBack} text={t("signed-in.layout.noConnection")} isRefusal />}
          <main id="main" className="page" tabIndex={-1}>
            {[
              unsaved,
              unknownZone && t("signed-in.layout.unknownTimeZone", { name: unknownZone }),
              isLossy && t("signed-in.layout.partlyUnread"),
            ].map(
              (warning) =>
                warning && (
                  <p key={warning} className="notice is-warn mb-4" role="status">
                    {warning}
                  </p>
                ),
            )}
            {children}
          </main>
        </div>
      </div>
      {first && <Interaction first={first} />}
      {open === "logout" && <LogoutDialog closeTo={closeTo} />}
    </>
  );
}
