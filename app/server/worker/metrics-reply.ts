import { hash, timingSafeEqual } from "node:crypto";
import { AggregatorRegistry } from "prom-client";
import { config } from "#lib/config.ts";
import { registry } from "#lib/metric-kinds.ts";
import type { MetricSamples } from "./start.ts";

const { METRICS_TOKEN } = config();

const digestOf = (text: string) => hash("sha256", text, "buffer");
const expected = METRICS_TOKEN && digestOf(`Bearer ${METRICS_TOKEN}`);

/** The metrics of this process and of others, or 401; undefined unless METRICS_TOKEN is set. */
export async function metricsReply(
  authorization: string | null | undefined,
  others: () => Promise<MetricSamples> = async () => [],
): Promise<Response | undefined> {
  if (!expected) return undefined;
  if (!timingSafeEqual(digestOf(authorization ?? ""), expected)) {
    return new Response("Send METRICS_TOKEN as a bearer token.\n", {
      status: 401,
      headers: { "content-type": "text/plain", "www-authenticate": "Bearer" },
    });
  }
  const all = AggregatorRegistry.aggregate(await Promise.all([registry.getMetricsAsJSON(), others()]));
  return new Response(await all.metrics(), { headers: { "content-type": all.contentType } });
}
