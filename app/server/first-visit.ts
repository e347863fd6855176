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
async function lacksStyles(request: Request): Promise<boolean> {
  if (request.headers.get("sec-fetch-dest") !== "document") return false;
  return (await cookie.parse(request.headers.get("cookie"))) !== appCss;
}

const end = 'id="page-end"';
const asAWhole = '<link rel="expect" href="#page-end" blocking="render"/>';

/**
 * A page as a browser gets it: at first with the styles before their address, which `headers` note. A page with an end
 * of its own, as those with scripts have, is shown as a whole then: rows that come while others are shown are laid out
 * again and again, which took a telephone another 0.2 s.
 */
export async function withStyles(
  page: Buffer<ArrayBuffer>,
  { request, headers, nonce }: { request: Request; headers: Headers; nonce: string },
): Promise<Buffer<ArrayBuffer>> {
  const link = ` rel="stylesheet" href="${appCss}"`;
  const at = page.indexOf(link);
  if (!styles || at < 0 || !(await lacksStyles(request))) return page;
  headers.append("set-cookie", await cookie.serialize(appCss));
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
