import { isbot } from "isbot";

/**
 * Whether a page is opened by somebody: not by a robot or a link's preview, not ahead of time, not for its headers only,
 * and not as a part of another site's page.
 */
export function isPerson({ method, headers }: Request): boolean {
  const purpose = headers.get("sec-purpose") ?? headers.get("purpose") ?? headers.get("x-moz") ?? "";
  const isPage = [null, "document"].includes(headers.get("sec-fetch-dest"));
  // Every browser names itself.
  const agent = headers.get("user-agent");
  return method === "GET" && isPage && !/prefetch|preview/i.test(purpose) && Boolean(agent) && !isbot(agent);
}
