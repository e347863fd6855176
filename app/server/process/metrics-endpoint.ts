import { collectDefaultMetrics } from "prom-client";
import type { MiddlewareFunction } from "react-router";
import { metrics, registry } from "#lib/metrics.ts";
import { version } from "../../../package.json";
import { metricsReply } from "../worker/metrics-reply.ts";
import { resources } from "./resources.ts";

collectDefaultMetrics({ register: registry });
metrics.build.set({ version, node: process.versions.node }, 1);

/** Serves Prometheus metrics of this process and its worker to requests that carry METRICS_TOKEN; 404 unless it is set. */
export const serveMetrics: MiddlewareFunction<Response> = async ({ request }, next) => {
  if (!["GET", "HEAD"].includes(request.method)) return next();
  const ofWorker = async () => (await resources().worker?.metrics()) ?? [];
  return (await metricsReply(request.headers.get("authorization"), ofWorker)) ?? next();
};
