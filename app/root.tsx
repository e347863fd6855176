import {
  Links,
  Outlet,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunctionArgs,
  useMatches,
  useRouteLoaderData,
} from "react-router";
import { type ReactNode, use, useState } from "react";
import { directionOf, type Language, tagOf } from "#lib/messages/languages.ts";
import { staffLanguage } from "#lib/messages/staff-language.ts";
import { t } from "#lib/messages/staff.ts";
import type { Route } from "./+types/root";
import appCss from "./app.css?url";
import icon from "./icon.svg?inline";
import { PageUserContext } from "./components/form/form.tsx";
import { NonceContext } from "./components/frame/nonce.ts";
import { LoneProblem } from "./components/frame/problem.tsx";
import { PageEnd } from "./first-paint/page-end.tsx";
import { isFirstPaintOn } from "./first-paint/switch.ts";
import { trackRequest } from "./server/request/request-context.ts";
import { browserMiddleware } from "./server/sessions/browser.ts";
import { loadShedding } from "./server/process/load-shedding.ts";
import { onlyOurHost } from "./server/request/host.ts";
import { providerClient } from "./server/provider/context.ts";
import { knownMethodsOnly, pageHeaders, sameOriginOnly, rejectEncodedBodies } from "./server/request/security.ts";
import { restoreInterrupted } from "./server/sessions/restore.ts";
import { getPageUser } from "./server/sessions/page-user.ts";
import { sentOnce } from "./server/sessions/sent-once.ts";
import { guestWays, hasUser, sessionMiddleware } from "./server/sessions/session.ts";
import { themeOf } from "./server/theme.ts";

/** Runs for each request before the layout's guard and the page. What the first two refuse costs no more than that. */
export const middleware: Route.MiddlewareFunction[] = [
  onlyOurHost,
  loadShedding(hasUser),
  restoreInterrupted,
  trackRequest,
  pageHeaders,
  browserMiddleware,
  sentOnce,
  sessionMiddleware,
  sameOriginOnly,
  knownMethodsOnly,
  rejectEncodedBodies,
  providerClient,
];

export const loader = async ({ request, context }: Route.LoaderArgs) => ({
  theme: await themeOf(request),
  ways: guestWays(context),
  pageUser: getPageUser(context),
  isFirstPaintOn,
});

/** Only the theme's form changes this, so no other navigation can fail here. */
export const shouldRevalidate = ({ formAction }: ShouldRevalidateFunctionArgs) => formAction === "/theme";

export const links: Route.LinksFunction = () => [
  // Inlined to save first visits a request; browsers' scripts need not repeat it.
  ...(import.meta.env.SSR ? [{ rel: "icon", href: icon, type: "image/svg+xml" }] : []),
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
];

const dataThemes: Record<string, string> = { light: "sealdesk", dark: "sealdesk-dark" };

/** Of a page that shows what goes on: when it is loaded again without scripts. Of one for strangers: its language. */
type OfPage = { refreshSeconds?: number | undefined; language?: Language | undefined } | undefined;

/** The document around every page. Only layouts with `handle.scripts` have scripts. */
export function Layout({ children }: { children: ReactNode }) {
  const root = useRouteLoaderData<typeof loader>("root");
  const matches = useMatches();
  const ofPages = matches.map(({ loaderData }) => loaderData as OfPage);
  const refresh = ofPages.map((page) => page?.refreshSeconds).find(Boolean);
  const language = ofPages.map((page) => page?.language).findLast(Boolean);
  const needsScripts = matches.some(({ handle }) => (handle as { scripts?: boolean } | undefined)?.scripts);
  const nonce = use(NonceContext);
  // Of the first page of this document, even if another user signs in elsewhere while it is open.
  const [pageUser, setPageUser] = useState(root?.pageUser);
  // Its first page may have failed.
  if (!pageUser && root?.pageUser) setPageUser(root.pageUser);
  return (
    <html
      lang={tagOf(language ?? staffLanguage)}
      dir={directionOf(language ?? staffLanguage)}
      data-theme={dataThemes[root?.theme ?? "auto"]}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {!language && <meta name="description" content={t("server.root.description")} />}
        {refresh && (
          <noscript>
            <meta httpEquiv="refresh" content={String(refresh)} />
          </noscript>
        )}
        {/* Files of our own need no nonce, which the browser would not have when React takes the page over. */}
        <Links nonce="" />
      </head>
      <body>
        <PageUserContext value={pageUser}>{children}</PageUserContext>
        {needsScripts && (
          <>
            {root?.isFirstPaintOn && <PageEnd nonce={nonce} />}
            <ScrollRestoration />
            <Scripts />
          </>
        )}
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}

/** Shown when the layout itself fails. */
export function ErrorBoundary() {
  const root = useRouteLoaderData<typeof loader>("root");
  return (
    <>
      <link rel="stylesheet" href={appCss} />
      <LoneProblem ways={root?.ways} />
    </>
  );
}
