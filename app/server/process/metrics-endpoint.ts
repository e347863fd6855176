import { hash, timingSafeEqual } from "node:crypto";
import { collectDefaultMetrics } from "prom-client";
import type { MiddlewareFunction } from "react-router";
import { config } from "#lib/config.ts";
import { metrics, registry } from "#lib/metrics.ts";
import { version } from "../../../package.json";

collectDefaultMetrics({ register: registry });
metrics.build.set({ version, node: process.versions.node }, 1);

const { METRICS_TOKEN } = config();

const digestOf = (text: string) => hash("sha256", text, "buffer");
const expected = METRICS_TOKEN && digestOf(`Bearer ${METRICS_TOKEN}`);

/** Serves Prometheus metrics to requests that carry METRICS_TOKEN; 404 unless it is set. */
export const serveMetrics: MiddlewareFunction<Response> = async ({ request }, next) => {
  if (!expected || !["GET", "HEAD"].includes(request.method)) return next();
  if (!timingSafeEqual(digestOf(request.headers.get("authorization") ?? ""), expected)) {
    return new Response("Send METRICS_TOKEN as a bearer token.\n", {
      status: 401,
      headers: { "content-type": "text/plain", "www-authenticate": "Bearer" },
    });
  }
  return new Response(await registry.metrics(), { headers: { "content-type": registry.contentType } });
};
