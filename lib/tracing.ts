import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";

/**
 * Spans of this process, which any room may add. Names and attributes are routes, calls, statements with placeholders and
 * jobs: no URL, id, address or user input. Nothing is made until `switchOn` (`app/server/process/start-tracing.ts`).
 */

const tracer = trace.getTracer("sealdesk");
let isOn = false;

export const switchOn = () => void (isOn = true);

const kinds = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };
type Traced = { kind?: keyof typeof kinds; traceparent?: string | undefined };

/** Runs work in a span below the current one, or below the one of `traceparent`. */
export async function inSpan<T>(name: string, traced: Traced, work: () => Promise<T>): Promise<T> {
  if (!isOn) return work();
  const { kind = "internal", traceparent } = traced;
  const parent = traceparent ? propagation.extract(ROOT_CONTEXT, { traceparent }) : context.active();
  return tracer.startActiveSpan(name, { kind: kinds[kind] }, parent, async (span) => {
    try {
      return await work();
    } catch (error) {
      // Messages may quote a row or an address.
      span.setStatus({ code: SpanStatusCode.ERROR });
      if (error instanceof Error) span.setAttribute("error.type", error.name);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Adds a span that has ended just now. Without a current span none is made: polls would be traces by themselves. */
export function addSpan(name: string, durationMs: number, { attributes, isError }: EndedSpan) {
  if (!isOn || !trace.getActiveSpan()?.isRecording()) return;
  const end = Date.now();
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, startTime: end - durationMs, attributes });
  if (isError) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(end);
}

type EndedSpan = { attributes: Attributes; isError: boolean };

export type RequestSpan = {
  traceId: string;
  run<T>(work: () => T): T;
  end(outcome: { name: string; status: number; attributes: Attributes }): void;
};

/** The span of a request that arrives, below the one that its `traceparent` names; undefined while tracing is off. */
export function startRequestSpan(headers: Record<string, unknown>): RequestSpan | undefined {
  if (!isOn) return undefined;
  const parent = propagation.extract(ROOT_CONTEXT, headers);
  const span = tracer.startSpan("request", { kind: SpanKind.SERVER }, parent);
  return {
    traceId: span.spanContext().traceId,
    run: (work) => context.with(trace.setSpan(parent, span), work),
    end({ name, status, attributes }) {
      span.updateName(name).setAttributes({ ...attributes, "http.response.status_code": status });
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** The headers that name the current span (W3C Trace Context). */
export function traceHeaders(): { traceparent?: string; tracestate?: string } {
  const headers = {};
  if (isOn) propagation.inject(context.active(), headers);
  return headers;
}

export const traceId = (): string | undefined => (isOn ? trace.getActiveSpan()?.spanContext().traceId : undefined);
