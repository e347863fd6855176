import { readFileSync } from "node:fs";
import { createCookie } from "react-router";
import { daysInSeconds } from "#units";
import appCss from "../../app.css?url";
import { neededStyles } from "./needed-styles.ts";

/**
 * A browser that has not our style sheet gets what the page needs of it within its first page: on a telephone's slow
 * line a list is there 0.3 s sooner than if the sheet had to be asked for. It fetches the sheet as well, once the page
 * is shown, for what scripts will add to it and for the pages after it; this cookie tells that it has done so. What is
 * no browser is left with the address.
 */
const cookie = createCookie("styles", { path: "/", sameSite: "lax", httpOnly: true, maxAge: daysInSeconds(365) });

const stylesFor = import.meta.env.PROD
  ? neededStyles(readFileSync(new URL(`../client${appCss}`, import.meta.url), "utf8"))
  : undefined;

/** Whether a request is a browser's that asks for a page and has no styles, or those of another version. */
async function lacksStyles(request: Request): Promise<boolean> {
  if (request.headers.get("sec-fetch-dest") !== "document") return false;
  return (await cookie.parse(request.headers.get("cookie"))) !== appCss;
}

/** At the end of pages with scripts; others end with their body. */
const end = '<script id="page-end"';
const asAWhole = '<link rel="expect" href="#page-end" blocking="render"/>';

/**
 * A page as a browser gets it: at first with the styles before their address, and with the whole sheet, which `headers`
 * note, behind all that is shown. A page with an end of its own is shown as a whole then: rows that come while others
 * are shown are laid out again and again, which took a telephone another 0.2 s.
 */
export async function withStyles(
  page: Buffer<ArrayBuffer>,
  { request, headers, nonce }: { request: Request; headers: Headers; nonce: string },
): Promise<Buffer<ArrayBuffer>> {
  const link = ` rel="stylesheet" href="${appCss}"`;
  const at = page.indexOf(link);
  if (!stylesFor || at < 0 || !(await lacksStyles(request))) return page;
  headers.append("set-cookie", await cookie.serialize(appCss));
  const tag = page.lastIndexOf("<link", at);
  const endAt = page.indexOf(end);
  const isWhole = endAt >= 0;
  const shown = isWhole ? page.indexOf("</script>", endAt) + "</script>".length : page.indexOf("</body>");
  return Buffer.concat([
    page.subarray(0, tag),
    Buffer.from(`<style nonce="${nonce}">${stylesFor(page.toString("latin1"))}</style>${isWhole ? asAWhole : ""}`),
    page.subarray(tag, at),
    // No medium is called so: this one, which React looks for, is not waited for.
    Buffer.from(`${link} media="later"`),
    page.subarray(at + link.length, shown),
    Buffer.from(`<link${link}/>`),
    page.subarray(shown),
  ]);
}
