import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import type { JsonReply } from "#provider/http/replies.ts";
import type { Call } from "#provider/contract/call.ts";
import { type CallName, calls } from "#provider/contract/calls.ts";
import { bytesWithin } from "#lib/bytes-within.ts";
import { mebibytesInBytes } from "#lib/units.ts";
import { log } from "../process/log.ts";
import { clean } from "./clean.ts";
import { failure, unreachable } from "./failure.ts";
import { noteLoss } from "./learned.ts";
import { parseLeniently } from "./lenient.ts";

const maxBytes = mebibytesInBytes(20);

/** The specification leaves these replies unused (section 7): other providers may send anything. */
const unused: CallName[] = ["getAlert", "getDocument"];

/** The reply as the contract reads it, or the response if it is a file. Throws a failure with status 502. */
export async function readReply(name: CallName, response: Response | JsonReply, id?: unknown): Promise<unknown> {
  const { reply }: Call = calls[name];
  if (reply === null) {
    if (response instanceof Response) await response.body?.cancel();
    return undefined;
  }
  if (!(reply instanceof z.ZodType)) return response;
  if (response instanceof Response) return readContent(name, reply, clean(await readJson(response)), id);
  if (!contents.has(response)) contents.set(response, deepFrozen(readContent(name, reply, response.content, id)));
  return contents.get(response);
}

/** What the embedded provider's replies say as the contract reads them: those that are kept are read once. */
const contents = new WeakMap<JsonReply, unknown>();

function readContent(name: CallName, schema: z.ZodType, sent: unknown, id: unknown): unknown {
  const { replyIsOptional, method, access }: Call = calls[name];
  const mayLose = method === "GET" && access !== "public";
  const parsed = parseLeniently(name, schema, unused.includes(name) ? withId(sent, id) : sent, mayLose);
  if (parsed.isLossy) noteLoss();
  if (parsed.success) return parsed.data;
  if (replyIsOptional) return undefined;
  log.warn({ call: name, issues: parsed.error.issues.slice(0, 5) }, "provider response does not match the contract");
  noteLoss();
  throw failure(502, { kind: "unreachable", message: t("server.provider.replies.notUnderstood"), isUnread: true });
}

const withId = (sent: unknown, id: unknown) => ({
  ...(typeof sent === "object" && !Array.isArray(sent) ? sent : {}),
  id: Number(id),
});

export async function readJson(response: Response): Promise<unknown> {
  const tooMany = () => unreachable(502, t("server.provider.replies.tooLong"));
  const content = await bytesWithin(response.body ?? [], maxBytes, tooMany);
  try {
    // Skips a byte-order mark.
    return JSON.parse(new TextDecoder().decode(content));
  } catch {
    return undefined;
  }
}

/** The value itself, which can no longer be changed: several pages may read it. */
function deepFrozen<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const part of Object.values(value)) deepFrozen(part);
  return Object.freeze(value);
}
