import { serveMetrics } from "../../server/process/metrics-endpoint.ts";

/** For those who watch it, by Prometheus; for anybody else a page that there is not. */
export const middleware = [serveMetrics];

export { action, default, links, loader } from "../not-found.tsx";
