import type { MiddlewareFunction } from "react-router";
import { collectNodeMetrics } from "#lib/metric-kinds.ts";
import { metrics } from "#lib/metrics.ts";
import { metricsReply } from "../worker/metrics-reply.ts";
import { checkShared } from "./readiness.ts";
import { resources } from "./resources.ts";
import { commit, version } from "./version.ts";

collectNodeMetrics();
metrics.build.set({ version, commit, node: process.versions.node }, 1);

/** Serves Prometheus metrics of this process and its worker to requests that carry METRICS_TOKEN; 404 unless it is set. */
export const serveMetrics: MiddlewareFunction<Response> = async ({ request }, next) => {
  if (!["GET", "HEAD"].includes(request.method)) return next();
  void checkShared();
  const ofWorker = async () => (await resources().worker?.metrics()) ?? [];
  return (await metricsReply(request.headers.get("authorization"), ofWorker)) ?? next();
};
