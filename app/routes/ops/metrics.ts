import { serveMetrics } from "../../server/process/metrics-endpoint.ts";

/** Prometheus metrics for requests with METRICS_TOKEN; 404 for all others. */
export const middleware = [serveMetrics];

export { action, default, links, loader } from "../not-found.tsx";
