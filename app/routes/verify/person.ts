import { isbot } from "isbot";

/**
 * Whether a page is opened by somebody: not by a robot or a link's preview, not ahead of time, not for its headers only.
 */
export function isPerson({ method, headers }: Request): boolean {
  const purpose = headers.get("sec-purpose") ?? headers.get("purpose") ?? headers.get("x-moz") ?? "";
  return method === "GET" && !/prefetch|preview/i.test(purpose) && !isbot(headers.get("user-agent"));
}
