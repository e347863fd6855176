import { t, tRich } from "#lib/messages/staff.ts";
import { failure } from "../../server/provider/failure.ts";
import { hasSealKeys } from "../../server/seals.ts";
import type { Route } from "./+types/offline";
import { Sheet } from "./sheet.tsx";

/** Checks codes without a network. Its script is a program of its own (`app/offline/`), since the public pages have none. */

export function loader() {
  if (!hasSealKeys()) throw failure(404, { kind: "refused", message: t("seals.notHere") });
  return null;
}

const script = import.meta.env.DEV ? "/app/offline/main.tsx" : "/check-files/app.js";

/** Its decoder is WebAssembly, and its camera is the page's own. */
export const headers: Route.HeadersFunction = () => ({
  "permissions-policy": "camera=(self)",
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
});

export const links: Route.LinksFunction = () => [{ rel: "manifest", href: "/check/manifest" }];

export default function Offline() {
  return (
    <Sheet title={t("check.title")} isEnglish>
      <div className="part">
        <h1>{t("check.title")}</h1>
        <p className="muted">{t("check.page.whatItDoes")}</p>
        <noscript>
          <p>{tRich("check.page.needsScripts", { link: (words) => <a href="/v">{words}</a> })}</p>
        </noscript>
        <div id="offline" />
        <script type="module" src={script} />
      </div>
    </Sheet>
  );
}
