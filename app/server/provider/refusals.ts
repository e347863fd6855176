import { redirect } from "react-router";
import type { Call } from "#provider/contract/call.ts";
import { type CallName, calls } from "#provider/contract/calls.ts";
import { t } from "#lib/messages/staff.ts";
import { log } from "../process/log.ts";
import { noteNeededProof } from "../request/request-context.ts";
import type { CallContext } from "./call-context.ts";
import { failure, notOffered, unreachable } from "./failure.ts";
import { lackingInWords } from "./lacking-words.ts";
import { noteLacking } from "./learned.ts";
import { readJson } from "./replies.ts";

export async function refusalOf(context: Pick<CallContext, "endSession" | "page">, name: CallName, response: Response) {
  const { status } = response;
  // A public call's 401 is about the form or the link, not about the session.
  if (status === 401 && calls[name].access !== "public") {
    context.endSession();
    return redirect(`/login?${new URLSearchParams({ next: context.page })}`);
  }
  if (status === 401 && isUnknownByToken(calls[name], name)) return lacking(name);
  const retryAfter = Number(response.headers.get("retry-after")) || undefined;
  const refused = await readJson(response);
  const refusal = refusalIn(refused);
  const first = status === 403 ? firstStep(refused) : undefined;
  if (first) {
    if (first === steps.proof) noteNeededProof();
    return redirect(`${first}?${new URLSearchParams({ next: context.page })}`);
  }
  if (status === 405 || status === 501 || (status === 404 && !mayMissRecord(calls[name]))) return lacking(name);
  if (status >= 400 && status < 500) {
    return failure(status, {
      kind: "refused",
      message:
        status === 404
          ? t("server.provider.refusals.noRecord")
          : (refusal.message ?? t("server.provider.refusals.noReason")),
      ...(refusal.errors && { errors: refusal.errors }),
      ...(retryAfter && { retryAfter }),
    });
  }
  const message = refusal.message ?? t("server.provider.refusals.internalError");
  // With 503 nothing was begun, or the message says what to check.
  if (status === 503) return failure(503, { kind: "out-of-order", message, retryAfter: retryAfter ?? 5 });
  log.warn({ call: name, status }, "provider returned an error");
  return unreachable(502, message);
}

export const steps = { proof: "/confirm", "second factor": "/profile/second-factor" };

function firstStep(refused: unknown) {
  const { kind } = (typeof refused === "object" && refused !== null ? refused : {}) as { kind?: unknown };
  return typeof kind === "string" && Object.hasOwn(steps, kind) ? steps[kind as keyof typeof steps] : undefined;
}

const mayMissRecord = ({ path, refusals = [] }: Call) => path.includes("{") || refusals.includes(404);

/** Some providers ask for a token before they look whether they know a call. */
const isUnknownByToken = ({ access, refusals = [] }: Call, name: CallName) =>
  access === "public" && name !== "login" && !refusals.includes(401);

function lacking(name: CallName) {
  noteLacking(name);
  return notOffered(lackingInWords(calls[name]));
}

const limits = { fields: 50, messageLength: 500, depth: 5 };

type Refusal = { message?: string; errors?: Record<string, string[]> };

/** What is readable of a refusal, and no more than a page can show. */
export function refusalIn(body: unknown): Refusal {
  const { message, errors } = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const messages = new Map<string, string[]>();
  collect(messages, errors, "");
  return {
    ...(typeof message === "string" && message.trim() && { message: shorten(message) }),
    ...(messages.size > 0 && { errors: Object.fromEntries(messages) }),
  };
}

function collect(found: Map<string, string[]>, value: unknown, field: string, depth = 0) {
  if (depth > limits.depth) return;
  if (typeof value === "string" && value.trim()) {
    const messagesOfField = found.get(field);
    if (messagesOfField || found.size < limits.fields)
      found.set(field, [...(messagesOfField ?? []), shorten(value)].slice(0, limits.fields));
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.slice(0, limits.fields).entries()) {
      if (typeof item === "string") collect(found, item, field, depth + 1);
      else if (depth === 0) collectNamed(found, item);
      else collect(found, item, `${field}[${index}]`, depth + 1);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [name, item] of Object.entries(value).slice(0, limits.fields)) {
      collect(found, item, field ? `${field}[${name}]` : name.slice(0, limits.messageLength), depth + 1);
    }
  }
}

/** `{ "field": "email", "message": "Taken" }` in a list of such. */
function collectNamed(found: Map<string, string[]>, item: unknown) {
  const { field, message } = (typeof item === "object" && item !== null ? item : {}) as Record<string, unknown>;
  collect(found, message, typeof field === "string" ? field.slice(0, limits.messageLength) : "", 1);
}

const shorten = (text: string) =>
  text.length > limits.messageLength ? `${text.slice(0, limits.messageLength).toWellFormed()} …` : text;
