import type { LinksFunction } from "react-router";
import appCss from "./app.css?url";
import fontUrl from "./fonts/hanken-grotesk.woff2?url";

/** The style and font of all pages but the public ones, which have a small sheet of their own. */
export const appLinks: LinksFunction = () => [
  { rel: "preload", href: fontUrl, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "stylesheet", href: appCss },
];
