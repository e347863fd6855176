import { readFileSync } from "node:fs";
import { daysInSeconds } from "#lib/units.ts";
import { createCookie } from "react-router";
import appCss from "../app.css?url";
import { criticalCss } from "./critical-css.ts";
import { pageEnd } from "./page-end.tsx";

/** Holds the name of the style sheet that the browser has in its cache. */
const cookie = createCookie("styles", { path: "/", sameSite: "lax", httpOnly: true, maxAge: daysInSeconds(365) });

const criticalCssOf = import.meta.env.PROD
  ? criticalCss(readFileSync(new URL(`../client${appCss}`, import.meta.url), "utf8"))
  : undefined;

/** Programs that are no browsers send no such header, and get the link to the sheet. */
async function lacksSheet(request: Request): Promise<boolean> {
  if (request.headers.get("sec-fetch-dest") !== "document") return false;
  return (await cookie.parse(request.headers.get("cookie"))) !== appCss;
}

/** Rows that arrive in several paints are laid out again each time. */
const paintOnceWhole = `<link rel="expect" href="#${pageEnd}" blocking="render"/>`;

/** A page's request, its reply's headers, and the nonce that its styles need. */
export type FirstVisit = { request: Request; headers: Headers; nonce: string };

/**
 * Inlines the styles that a page needs for browsers that have no style sheet yet, and moves the sheet behind what is
 * shown, for later pages and for what scripts add.
 */
export async function withCriticalCss(
  page: Buffer<ArrayBuffer>,
  { request, headers, nonce }: FirstVisit,
): Promise<Buffer<ArrayBuffer>> {
  const link = ` rel="stylesheet" href="${appCss}"`;
  const linkAt = page.indexOf(link);
  if (!criticalCssOf || linkAt < 0 || !(await lacksSheet(request))) return page;
  headers.append("set-cookie", await cookie.serialize(appCss));
  const tagAt = page.lastIndexOf("<link", linkAt);
  const pageEndAt = page.indexOf(`<script id="${pageEnd}"`);
  const hasPageEnd = pageEndAt >= 0;
  const shownEnd = hasPageEnd ? page.indexOf("</script>", pageEndAt) + "</script>".length : page.indexOf("</body>");
  const styles = `<style nonce="${nonce}">${criticalCssOf(page.toString("latin1"))}</style>`;
  return Buffer.concat([
    page.subarray(0, tagAt),
    Buffer.from(styles + (hasPageEnd ? paintOnceWhole : "")),
    page.subarray(tagAt, linkAt),
    // React looks for this link; an unknown medium keeps it from blocking the first paint.
    Buffer.from(`${link} media="later"`),
    page.subarray(linkAt + link.length, shownEnd),
    Buffer.from(`<link${link}/>`),
    page.subarray(shownEnd),
  ]);
}
