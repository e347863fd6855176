import { hash } from "node:crypto";
import { t } from "#lib/messages/staff.ts";
import { hoursInSeconds } from "#lib/units.ts";
import { resources } from "./process/resources.ts";
import { asFailure, notOffered } from "./provider/failure.ts";

/** Seal keys are published for the embedded provider only: another one publishes its own. */
export const hasSealKeys = () => resources().embedded !== undefined;

export const requireSealKeys = () => {
  if (!hasSealKeys()) throw notOffered(t("server.provider.lackingWords.sealKeys"));
};

const text = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };

const noFile = () => new Response("There is no such file here yet.\n", { status: 404, headers: text });

const hourly = `public, max-age=${hoursInSeconds(1)}`;

export const briefly = "public, max-age=10";

/** Of what is made for each request. */
export const notAtAll = "public, no-cache";

/** A public file, which other sites may read and browsers ask for again, after an hour, by its ETag; 404 if it is not there. */
export async function publishedFile(
  request: Request,
  type: string,
  read: () => Promise<string | Uint8Array<ArrayBuffer>>,
  cacheControl = hourly,
): Promise<Response> {
  if (!hasSealKeys()) return new Response("There are no seal keys here.\n", { status: 404, headers: text });
  try {
    const content = await read();
    if (content.length === 0) return noFile();
    const etag = `"${hash("sha256", content, "base64url")}"`;
    const headers = {
      etag,
      "cache-control": cacheControl,
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
    };
    const isKnown = request.headers
      .get("if-none-match")
      ?.split(/\s*,\s*/)
      .some((known) => known.replace(/^W\//, "") === etag);
    if (isKnown) return new Response(null, { status: 304, headers });
    return new Response(content, { headers: { ...headers, "content-type": type } });
  } catch (thrown) {
    if (asFailure(thrown, 404, 422)) return noFile();
    const failed = asFailure(thrown, 429, 503);
    if (!failed) throw thrown;
    const { message, status, retryAfter } = failed;
    return new Response(`${message}\n`, {
      status,
      headers: { ...text, ...(retryAfter && { "retry-after": String(retryAfter) }) },
    });
  }
}
