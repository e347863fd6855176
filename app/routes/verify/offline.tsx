import { failure } from "../../server/provider/failure.ts";
import { hasSealKeys } from "../../server/seals.ts";
import type { Route } from "./+types/offline";
import { Sheet } from "./sheet.tsx";

/** Checks codes without a network. Its script is a program of its own (`app/offline/`), since the public pages have none. */

export function loader() {
  if (!hasSealKeys()) throw failure(404, { kind: "refused", message: "There are no seal keys here." });
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
    <Sheet title="Check a code without a network" isEnglish>
      <div className="part">
        <h1>Check a code without a network</h1>
        <p className="muted">
          This page reads a signed code in your browser, and checks it by keys and lists that it saved. Nothing of it is
          sent.
        </p>
        <noscript>
          <p>
            It needs JavaScript. <a href="/v">Check a document by its code</a> instead.
          </p>
        </noscript>
        <div id="offline" />
        <script type="module" src={script} />
      </div>
    </Sheet>
  );
}
