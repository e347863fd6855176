import { redirect } from "react-router";
import { z } from "zod";
import type { Call } from "#provider/contract/call.ts";
import { type CallName, calls } from "#provider/contract/calls.ts";
import { log } from "../process/log.ts";
import type { CallContext } from "./call-context.ts";
import { failure, notOffered, unreachable } from "./failure.ts";
import { readJson } from "./replies.ts";

export async function refusalOf(context: CallContext, name: CallName, response: Response) {
  const { status } = response;
  // A public call's 401 is about the form or the link, not about the session.
  if (status === 401 && calls[name].access !== "public") {
    context.endSession();
    return redirect(`/login?${new URLSearchParams({ next: context.page })}`);
  }
  const retryAfter = Number(response.headers.get("retry-after")) || undefined;
  const refusal = refusalBody.safeParse(await readJson(response)).data;
  if (status === 405 || status === 501 || (status === 404 && !calls[name].path.includes("{"))) {
    return notOffered(nounOf(calls[name]));
  }
  if (status >= 400 && status < 500) {
    return failure(status, {
      kind: "refused",
      // The page has better words for a missing record.
      message: status === 404 ? "" : (refusal?.message ?? "The provider refused this without a reason."),
      ...(refusal?.errors && { errors: refusal.errors }),
      ...(retryAfter && { retryAfter }),
    });
  }
  const message = refusal?.message ?? "The provider reported an internal error.";
  // With 503 nothing was begun, or the message says what to check.
  if (status === 503) return failure(503, { kind: "out-of-order", message, retryAfter: retryAfter ?? 5 });
  log.warn({ call: name, status }, "provider returned an error");
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
