import { redirect } from "react-router";
import { z } from "zod";
import { config } from "#lib/config.ts";
import { t } from "#lib/messages/staff.ts";
import type { Call } from "#provider/contract/call.ts";
import { type CallName, calls } from "#provider/contract/calls.ts";
import { uncounted } from "#provider/contract/fields.ts";
import type { CallRequest } from "#provider/http/call-request.ts";
import { secondsInMs } from "#lib/units.ts";
import { log } from "../process/log.ts";
import { isRestoring } from "../request/request-context.ts";
import type { CallContext } from "./call-context.ts";
import type { AnyInput } from "./client-types.ts";
import { asFailure, failure, timedOut, unreachable } from "./failure.ts";
import { encodeForm } from "./form-data.ts";
import { noteOffered } from "./learned.ts";
import { readReply } from "./replies.ts";
import { refusalOf } from "./refusals.ts";
import { withMetrics } from "./with-metrics.ts";

const { PROVIDER_TIMEOUT, PROVIDER_FILE_TIMEOUT } = config();
const timeoutSeconds = { call: PROVIDER_TIMEOUT, file: PROVIDER_FILE_TIMEOUT };

export const performCall = (context: CallContext, name: CallName, input: AnyInput) =>
  withMetrics(context, name, (measured) => makeCall(measured, name, input));

async function makeCall(context: CallContext, name: CallName, input: AnyInput) {
  const call: Call = calls[name];
  const isRead = call.method === "GET";
  if (!isRead && isRestoring()) throw redirect(context.page);
  const hasFile = call.files || call.file || call.image || isFile(call);
  return withTimeout(context, name, hasFile ? timeoutSeconds.file : timeoutSeconds.call, async (signal) => {
    const attempt = async () => {
      if (!context.callInProcess || !isRead || isFile(call))
        return context.send(requestOf(context, call, input, signal));
      return context.callInProcess(call, callRequestOf(context, call, input, signal));
    };
    const response = await attempt().catch((error: unknown) => {
      // A read is safe to repeat when the connection broke before a response.
      if (isRead && !context.callInProcess && error instanceof TypeError && !signal.aborted) return attempt();
      throw error;
    });
    if (response instanceof Response && !response.ok) throw await refusalOf(context, name, response);
    noteOffered(name);
    return { reply: await readReply(name, response, input.params?.id), headers: response.headers };
  }).catch((thrown: unknown) => {
    const failed = asFailure(thrown);
    const isHarmless = isRead || call.file || call.access === "public" || failed?.wasNeverSent;
    if (failed?.kind !== "unreachable" || isHarmless) throw thrown;
    throw unreachable(failed.status, t("server.provider.transport.unknownOutcome", { message: failed.message }));
  });
}

export async function fetchFile(context: CallContext, address: string): Promise<Response> {
  const { origin } = new URL(context.origin);
  const url = URL.parse(address, `${origin}/`);
  if (url?.origin !== origin) throw failure(404, { kind: "refused", message: "" });
  return withTimeout(context, "file", timeoutSeconds.file, async (signal) => {
    const headers = context.token ? { authorization: `Bearer ${context.token}` } : undefined;
    const response = await context.send(new Request(url, { headers, signal, redirect: "manual" }));
    if (!response.ok) throw unreachable(502, t("server.provider.transport.noFile"));
    return response;
  });
}

/** A file's body, which comes later, has no time limit. */
async function withTimeout<T>(
  context: CallContext,
  call: string,
  seconds: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const end = () => ending.abort();
  let timer: NodeJS.Timeout | undefined;
  let isLate = false;
  // Raced, because a fetch does not always notice an abort while its body is being read.
  const ended = new Promise<never>((_, reject) => {
    ending.signal.addEventListener("abort", () => reject(new Error("ended")));
    timer = setTimeout(() => {
      isLate = true;
      end();
    }, secondsInMs(seconds));
    context.signal.addEventListener("abort", end);
    if (context.signal.aborted) end();
  });
  try {
    return await Promise.race([work(ending.signal), ended]);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (isLate) throw timedOut(call, seconds);
    if (!context.signal.aborted) log.warn({ call, err: error }, "provider unreachable");
    throw unreachable(502, t("server.provider.transport.notReached"), wasNeverSent(error));
  } finally {
    clearTimeout(timer);
    context.signal.removeEventListener("abort", end);
  }
}

function wasNeverSent({ cause }: Error) {
  const { code } = (cause ?? {}) as { code?: string };
  return ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "UND_ERR_CONNECT_TIMEOUT"].includes(code ?? "");
}

/** A read for the embedded provider. Its address and request are made only for calls that need them. */
function callRequestOf(context: CallContext, call: Call, input: AnyInput, signal: AbortSignal): CallRequest {
  const texts = (values: Record<string, unknown> = {}) =>
    Object.fromEntries(
      Object.entries(values).flatMap(([name, value]) => (isGiven(value) ? [[name, String(value)]] : [])),
    );
  return {
    params: texts(input.params),
    query: texts(input.query),
    token: context.token,
    isUncounted: input.headers?.prefer === uncounted,
    signal,
    get url() {
      return addressOf(context, call, input).href;
    },
    get request() {
      return requestOf(context, call, input, signal);
    },
  };
}

const isGiven = (value: unknown) => value !== undefined && value !== "";

function addressOf({ origin }: CallContext, call: Call, input: AnyInput) {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input.params?.[name])));
  const url = new URL(`${origin}/api${path}`);
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (isGiven(value)) url.searchParams.set(name, String(value));
  }
  return url;
}

function requestOf(context: CallContext, call: Call, input: AnyInput, signal: AbortSignal) {
  const { token } = context;
  const url = addressOf(context, call, input);
  const headers = new Headers(input.headers);
  if (token) headers.set("authorization", `Bearer ${token}`);
  headers.set("accept", isFile(call) ? "*/*" : "application/json");
  const { form } = input;
  const body = form ? form.body : input.body && encodeForm(input.body, call.files, input.files, input.image);
  if (form) headers.set("content-type", form.headers.get("content-type") ?? "");
  // Every request has a form's type, even without a form (the specification's section 7).
  if (!body) headers.set("content-type", "multipart/form-data; boundary=none");
  // A body that is still arriving needs `duplex`.
  const init = {
    method: call.method,
    headers,
    body: body ?? null,
    signal,
    redirect: "manual",
    duplex: "half",
  } as const;
  return new Request(url, init);
}

const isFile = (call: Call) => call.reply !== null && !(call.reply instanceof z.ZodType);
