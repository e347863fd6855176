import { context, diag, DiagLogLevel, propagation, trace } from "@opentelemetry/api";
import { config, environment } from "#lib/config.ts";
import { switchOn } from "#lib/tracing.ts";
import { minutesInMs, secondsInMs } from "#lib/units.ts";
import { log } from "./log.ts";
import { version } from "./version.ts";

const stopTimeoutMs = secondsInMs(3);
let stop: () => Promise<unknown> = async () => undefined;

/** Sends the spans that wait, for a few seconds at most. */
export const stopTracing = () => stop();

/** Loads OpenTelemetry's SDK and sends spans by OTLP, if the settings say to where. */
export async function startTracing(part: "web" | "worker"): Promise<void> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS, OTEL_TRACES_SAMPLER_ARG } = config();
  if (!OTEL_EXPORTER_OTLP_ENDPOINT) return;
  // The exporter reads this and the other variables of its specification itself, but none from files.
  Object.assign(environment, { OTEL_EXPORTER_OTLP_ENDPOINT });
  if (OTEL_EXPORTER_OTLP_HEADERS) Object.assign(environment, { OTEL_EXPORTER_OTLP_HEADERS });
  const sdk = await import("@opentelemetry/sdk-trace");
  const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-proto");
  const { AsyncLocalStorageContextManager } = await import("@opentelemetry/context-async-hooks");
  const { W3CTraceContextPropagator } = await import("@opentelemetry/core");
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } =
    await import("@opentelemetry/resources");
  const ours = { "service.name": "sealdesk", "service.version": version, "sealdesk.process": part };
  const share = new sdk.TraceIdRatioBasedSampler(OTEL_TRACES_SAMPLER_ARG);
  const provider = new sdk.TracerProvider({
    // By the trace's id, also if a request says that it is sampled: anybody may send such a header.
    sampler: new sdk.ParentBasedSampler({ root: share, remoteParentSampled: share }),
    resource: defaultResource()
      .merge(resourceFromAttributes(ours))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
    spanLimits: { attributeValueLengthLimit: 2000 },
  });
  const ignore = () => {};
  const failures = { verbose: ignore, debug: ignore, info: ignore, warn: ignore, error: logFailures() };
  diag.setLogger(failures, DiagLogLevel.ERROR);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  switchOn();
  const timeout = () => new Promise((resolve) => setTimeout(resolve, stopTimeoutMs).unref());
  stop = () => Promise.race([provider.shutdown().catch(ignore), timeout()]);
}

/** Logs why spans were not sent, once a minute at most: each batch fails while the collector is away. */
function logFailures() {
  let nextAt = 0;
  return (...reasons: unknown[]) => {
    if (performance.now() < nextAt) return;
    nextAt = performance.now() + minutesInMs(1);
    log.warn({ reasons: reasons.map(String) }, "traces not sent");
  };
}
