import { isbot } from "isbot";

/** Whether a person opened the page: no robot, link preview, prefetch, HEAD request or frame of another site. */
export function isHumanPageView({ method, headers }: PageView, { byScripts = false } = {}): boolean {
  const purpose = headers.get("sec-purpose") ?? headers.get("purpose") ?? headers.get("x-moz") ?? "";
  const dests = [null, "document", ...(byScripts ? ["empty"] : [])];
  const isPage = dests.includes(headers.get("sec-fetch-dest"));
  const agent = headers.get("user-agent");
  return method === "GET" && isPage && !/prefetch|preview/i.test(purpose) && Boolean(agent) && !isbot(agent);
}

type PageView = { method: string; headers: { get(name: string): string | null } };
