import { redirect } from "react-router";
import { z } from "zod";
import type { Call } from "#provider/contract/call.ts";
import { type CallName, type Calls, calls } from "#provider/contract/calls.ts";
import { uncounted } from "#provider/contract/fields.ts";
import { config } from "#config";
import { megabytesInBytes, secondsInMs } from "#units";
import { log } from "../process/log.ts";
import type { CallContext } from "./call-context.ts";
import { counted } from "./counted.ts";
import { asFailure, failure, notOffered } from "./failure.ts";
import { encodeForm } from "./form-data.ts";

/** The one way from the web app to the provider: a typed method for every call of the contract. */

type Input<Schema> = Schema extends z.ZodType ? z.input<Schema> : never;
type Part<Name extends string, Value> = [Value] extends [never] ? unknown : { [N in Name]: Value };
type OptionalPart<Name extends string, Value> = [Value] extends [never] ? unknown : { [N in Name]?: Value };

/** What a call is sent: its parameters, query and body as the contract's schemas take them. */
type Sending<C extends Call> = Part<"params", Input<C["params"]>> &
  OptionalPart<"query", Input<C["query"]>> &
  Part<"body", Input<C["body"]>> &
  (C extends { files: string } ? { files: Picture[] } : unknown) &
  (C extends { image: true } ? { image?: Picture | undefined } : unknown) & { headers?: Record<string, string> };

/** A picture that goes with a form. */
export type Picture = { name: string; content: Blob };

/** What comes back: the reply as the contract's schema reads it, a response with a file, or nothing. */
type Replied<C extends Call> = C["reply"] extends z.ZodType
  ? z.output<C["reply"]> | (C extends { replyIsOptional: true } ? undefined : never)
  : C["reply"] extends null
    ? void
    : Response;

type Method<C extends Call> =
  object extends Sending<C>
    ? (sending?: Sending<C>) => Promise<Replied<C>>
    : (sending: Sending<C>) => Promise<Replied<C>>;

export type ProviderClient = { [Name in CallName]: Method<Calls[Name]> } & {
  /** A list with what its headers tell (`docs/contract.md`, "Lists"). */
  list<Name extends CallName>(
    name: Name,
    query: Input<Calls[Name] extends { query: infer Query } ? Query : never>,
    params?: Record<string, string>,
  ): Promise<ListReply<Replied<Calls[Name]>>>;
  /** A list's first rows, or all of them from a provider that does not page it. Nobody need count the others. */
  first<Name extends CallName>(
    name: Name,
    query: Input<Calls[Name] extends { query: infer Query } ? Query : never>,
  ): Promise<Replied<Calls[Name]>>;
  /** A file whose address came in a reply. Only the provider's own origin is asked; other addresses are not found. */
  file(address: string): Promise<Response>;
};

/** A part of a list. */
type ListReply<Rows> = {
  rows: Rows;
  /** How many there are in all; undefined where the provider did not page the list. */
  total: number | undefined;
  /** Whether counting ended there. */
  isCapped: boolean;
  /** Whether the provider looked for a short text among the newest rows only. */
  isPartial: boolean;
  /** Cursors of the parts beside it, where the provider gives some. */
  next: string | undefined;
  previous: string | undefined;
};

const { PROVIDER_TIMEOUT, PROVIDER_FILE_TIMEOUT } = config();
const limits = {
  timeoutMs: secondsInMs(PROVIDER_TIMEOUT),
  fileTimeoutMs: secondsInMs(PROVIDER_FILE_TIMEOUT),
  replyBytes: megabytesInBytes(20),
};

export function createClient(context: CallContext): ProviderClient {
  const methods = Object.fromEntries(
    (Object.keys(calls) as CallName[]).map((name) => [
      name,
      async (sending: AnySending = {}) => (await perform(context, name, sending)).reply,
    ]),
  );
  const list = async (name: CallName, query: AnySending["query"], params: AnySending["params"] = {}) => {
    const { reply, headers } = await perform(context, name, { query, params });
    const total = headers.get("x-total-count");
    return {
      rows: reply,
      total: total === null ? undefined : Number(total),
      isCapped: headers.get("x-total-is-capped") === "1",
      isPartial: headers.get("x-search-is-partial") === "1",
      next: cursorIn(headers, "next", "after"),
      previous: cursorIn(headers, "prev", "before"),
    };
  };
  const first = async (name: CallName, query: AnySending["query"]) =>
    (await perform(context, name, { query: { ...query, page: 1 }, headers: { prefer: uncounted } })).reply;
  return {
    ...methods,
    list,
    first,
    file: (address: string) => fetchFile(context, address),
  } as unknown as ProviderClient;
}

/** What a `Link` header has its relation's address say in a parameter (RFC 8288). */
function cursorIn(headers: Headers, relation: "next" | "prev", parameter: string) {
  const [, address] = new RegExp(`<([^>]*)>\\s*;\\s*rel="?${relation}\\b`).exec(headers.get("link") ?? "") ?? [];
  return URL.parse(address ?? "", "http://provider")?.searchParams.get(parameter) ?? undefined;
}

type AnySending = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
  files?: Picture[];
  image?: Picture;
  headers?: Record<string, string>;
};

const perform = (context: CallContext, name: CallName, sending: AnySending) =>
  counted(context, name, (counting) => ask(counting, name, sending));

/** Makes a call and reads its reply. */
async function ask(context: CallContext, name: CallName, sending: AnySending) {
  const call: Call = calls[name];
  const isRead = call.method === "GET";
  const timeoutMs = call.files || call.image || isFile(call) ? limits.fileTimeoutMs : limits.timeoutMs;
  return within(context, name, timeoutMs, async (signal) => {
    const attempt = () => context.send(requestOf(context, call, sending, signal));
    const response = await attempt().catch((error: unknown) => {
      // A connection that broke before an answer: asking again for something to read does no harm.
      if (isRead && error instanceof TypeError && !signal.aborted) return attempt();
      throw error;
    });
    if (!response.ok) throw await refusal(context, name, response);
    return { reply: await read(name, response), headers: response.headers };
  }).catch((thrown: unknown) => {
    const failed = asFailure(thrown);
    if (failed?.kind !== "unreachable" || isRead || call.access === "public" || failed.isUndone) throw thrown;
    throw unreachable(failed.status, `${failed.message} ${unknownOutcome}`);
  });
}

const unknownOutcome = "Whether it has done this is unknown: look in the list before you try again.";

/** Does what takes no longer than `timeoutMs`; the time of a file ends where the file begins. */
async function within<T>(
  context: CallContext,
  call: string,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const end = () => ending.abort();
  let timer: NodeJS.Timeout | undefined;
  let isLate = false;
  // Raced, because a fetch does not always hear that it is aborted while its body is being read.
  const ended = new Promise<never>((_, reject) => {
    ending.signal.addEventListener("abort", () => reject(new Error("ended")));
    timer = setTimeout(() => {
      isLate = true;
      end();
    }, timeoutMs);
    context.signal.addEventListener("abort", end);
    if (context.signal.aborted) end();
  });
  try {
    return await Promise.race([work(ending.signal), ended]);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (isLate) {
      log.warn({ call, milliseconds: timeoutMs }, "the provider did not answer in time");
      throw unreachable(504, "The provider did not answer in time.");
    }
    if (!context.signal.aborted) log.warn({ call, err: error }, "the provider could not be reached");
    throw unreachable(502, "The provider could not be reached.", neverSent(error));
  } finally {
    clearTimeout(timer);
    context.signal.removeEventListener("abort", end);
  }
}

const unreachable = (status: number, message: string, isUndone = false) =>
  failure(status, { kind: "unreachable", message, isUndone });

/** Whether the connection failed before anything went over it. */
function neverSent({ cause }: Error) {
  const { code } = (cause ?? {}) as { code?: string };
  return ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "UND_ERR_CONNECT_TIMEOUT"].includes(code ?? "");
}

async function fetchFile(context: CallContext, address: string): Promise<Response> {
  const { origin } = new URL(context.origin);
  const url = URL.parse(address, `${origin}/`);
  if (url?.origin !== origin) throw failure(404, { kind: "refused", message: "" });
  return within(context, "file", limits.fileTimeoutMs, async (signal) => {
    const headers = context.token ? { authorization: `Bearer ${context.token}` } : undefined;
    const response = await context.send(new Request(url, { headers, signal, redirect: "manual" }));
    if (!response.ok) throw unreachable(502, "The provider did not give the file.");
    return response;
  });
}

function requestOf({ origin, token }: CallContext, call: Call, sending: AnySending, signal: AbortSignal) {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(sending.params?.[name])));
  const url = new URL(`${origin}/api${path}`);
  for (const [name, value] of Object.entries(sending.query ?? {})) {
    if (value !== undefined && value !== "") url.searchParams.set(name, String(value));
  }
  const headers = new Headers(sending.headers);
  if (token) headers.set("authorization", `Bearer ${token}`);
  headers.set("accept", isFile(call) ? "*/*" : "application/json");
  const body = sending.body && encodeForm(sending.body, call.files, sending.files, sending.image);
  // Every request carries a form's type, as the specification's section 7 has it, even those that carry no form.
  if (!body) headers.set("content-type", "multipart/form-data; boundary=none");
  return new Request(url, { method: call.method, headers, body: body ?? null, signal, redirect: "manual" });
}

const isFile = (call: Call) => call.reply !== null && !(call.reply instanceof z.ZodType);

async function refusal(context: CallContext, name: CallName, response: Response) {
  const { status } = response;
  // Of a public call it is about what was typed or the link that was opened, not about the session.
  if (status === 401 && calls[name].access !== "public") {
    context.endSession();
    return redirect(`/login?${new URLSearchParams({ next: context.page })}`);
  }
  const retryAfter = Number(response.headers.get("retry-after")) || undefined;
  const said = refusalBody.safeParse(parseJson(await text(response))).data;
  if (status === 405 || status === 501 || (status === 404 && !calls[name].path.includes("{"))) {
    return notOffered(nounOf(calls[name]));
  }
  if (status >= 400 && status < 500) {
    return failure(status, {
      kind: "refused",
      // The page has better words for what is not there.
      message: status === 404 ? "" : (said?.message ?? "The provider refused this without a reason."),
      ...(said?.errors && { errors: said.errors }),
      ...(retryAfter && { retryAfter }),
    });
  }
  const message = said?.message ?? "The provider has a problem of its own.";
  // A provider that says 503 says that it has not begun, or else what to look for.
  if (status === 503) return failure(503, { kind: "out-of-order", message, retryAfter: retryAfter ?? 5 });
  log.warn({ call: name, status }, "the provider answered with an error");
  return unreachable(502, message);
}

const refusalBody = z.object({
  message: z.string().optional(),
  errors: z.record(z.string(), z.union([z.array(z.string()), z.string().transform((one) => [one])])).optional(),
});

/** `documents` of `/documents/{id}`, `users` of `/company/users`. */
const nounOf = ({ path }: Call) =>
  nouns[path] ??
  path
    .replace(/\/\{\w+\}$/, "")
    .split("/")
    .at(-1)!
    .replaceAll("-", " ");
const nouns: Record<string, string> = {
  "/audit": "an audit trail",
  "/forgot-password": "password resets",
  "/profile": "profiles",
  "/profile/password": "password changes",
  "/scans/places": "a map of scans",
  "/company": "company profiles",
  "/company/tariff": "tariff changes",
  "/company/bill": "bills",
};

async function read(name: CallName, response: Response): Promise<unknown> {
  const { reply, replyIsOptional }: Call = calls[name];
  if (reply === null) {
    await response.body?.cancel();
    return undefined;
  }
  if (!(reply instanceof z.ZodType)) return response;
  const parsed = reply.safeParse(parseJson(await text(response)));
  if (parsed.success) return parsed.data;
  if (replyIsOptional) return undefined;
  log.warn({ call: name, issues: parsed.error.issues.slice(0, 5) }, "the provider's answer is not the contract's");
  throw unreachable(502, "The provider’s answer could not be understood.");
}

async function text(response: Response) {
  const decoder = new TextDecoder();
  let [received, bytes] = ["", 0];
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > limits.replyBytes) throw unreachable(502, "The provider’s answer is too long.");
    received += decoder.decode(chunk, { stream: true });
  }
  return received + decoder.decode();
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
