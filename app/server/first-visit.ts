import { readFileSync } from "node:fs";
import { createCookie } from "react-router";
import appCss from "../app.css?url";

/**
 * A browser that has not our style sheet gets it within its first page: on a telephone's slow line a list is there 0.2 s
 * sooner than if the sheet had to be asked for. It fetches the sheet as well, for the pages after it, without waiting;
 * this cookie tells that it has done so. What is no browser is left with the address.
 */
const cookie = createCookie("styles", { path: "/", sameSite: "lax", httpOnly: true, maxAge: 365 * 24 * 60 * 60 });

const styles = import.meta.env.PROD ? readFileSync(new URL(`../client${appCss}`, import.meta.url)) : undefined;

/** Whether a request is a browser's that asks for a page and has no styles, or those of another version. */
export async function lacksStyles(request: Request): Promise<boolean> {
  if (!styles || request.headers.get("sec-fetch-dest") !== "document") return false;
  return (await cookie.parse(request.headers.get("cookie"))) !== appCss;
}

/** The `Set-Cookie` header of a page that brings them. */
export const noteStyles = () => cookie.serialize(appCss);

const end = 'id="page-end"';
const asAWhole = '<link rel="expect" href="#page-end" blocking="render"/>';

/**
 * A page with the styles before their address. One with an end of its own, as those with scripts have, is shown as a
 * whole: rows that come while others are shown are laid out again and again, which took a telephone another 0.2 s.
 */
export function withStyles(page: Buffer<ArrayBuffer>, nonce: string): Buffer<ArrayBuffer> {
  const link = ` rel="stylesheet" href="${appCss}"`;
  const at = page.indexOf(link);
  if (at < 0 || !styles) return page;
  const tag = page.lastIndexOf("<link", at);
  return Buffer.concat([
    page.subarray(0, tag),
    Buffer.from(`<style nonce="${nonce}">`),
    styles,
    Buffer.from(`</style>${page.includes(end) ? asAWhole : ""}`),
    page.subarray(tag, at),
    // No medium is called so: browsers fetch such a sheet after all else, and use nothing of it.
    Buffer.from(`${link} media="cache"`),
    page.subarray(at + link.length),
  ]);
}
