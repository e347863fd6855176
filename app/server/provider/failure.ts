import { data } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { secondsInMs } from "#lib/units.ts";
import { log } from "../process/log.ts";

/** Thrown as a response, so that the nearest error boundary shows it; forms catch failures of their own. */
export type Failure = {
  kind: "refused" | "unreachable" | "unknown-call" | "out-of-order";
  message: string;
  /** Messages by field, the most important first. */
  errors?: Record<string, string[]>;
  /** Whether the provider certainly did nothing. */
  wasNeverSent?: boolean;
  /** Whether there is a reply, which could not be understood. */
  isUnread?: boolean;
  /** Seconds. */
  retryAfter?: number;
};

export const failure = (status: number, content: Failure) => data(content, { status });

export const unreachable = (status: number, message: string, wasNeverSent = false) =>
  failure(status, { kind: "unreachable", message, wasNeverSent });

/** The failure of a call that did not answer within its time limit, which the log has too. */
export function timedOut(call: string, seconds: number) {
  log.warn({ call, milliseconds: secondsInMs(seconds) }, "provider timed out");
  return unreachable(504, t("server.provider.transport.late"));
}

/** The provider may have the specification's ten calls only. */
export const notOffered = (what: string) =>
  failure(501, { kind: "unknown-call", message: t("server.provider.failure.notOffered", { what }) });

type Thrown = ReturnType<typeof failure>;

/** A reply; undefined if it can't be understood, the user may not read it, or the provider does not know the call. */
export const orUndefinedIfHidden = <T>(reply: Promise<T>) => orUndefinedOn([403, 501, 502], reply);

export const orUndefinedIfUnknown = <T>(reply: Promise<T>) => orUndefinedOn([501], reply);

/** The same of what belongs to a record, which the user may not see either. */
export const orUndefinedIfLacking = <T>(reply: Promise<T>) => orUndefinedOn([403, 404, 501, 502], reply);

async function orUndefinedOn<T>(statuses: number[], reply: Promise<T>): Promise<T | undefined> {
  try {
    return await reply;
  } catch (thrown) {
    const failed = asFailure(thrown, ...statuses);
    if (!failed || (failed.status === 502 && !failed.isUnread)) throw thrown;
    return undefined;
  }
}

/** 404 may mean that the provider has no such records; then the list's own failure is thrown. */
export async function orUnsupported<T>(record: Promise<T>, requestList: () => Promise<unknown>): Promise<T> {
  try {
    return await record;
  } catch (thrown) {
    if (asFailure(thrown, 404)) await requestList();
    throw thrown;
  }
}

export function asFailure(thrown: unknown, ...statuses: number[]): (Failure & { status: number }) | undefined {
  const { type, data: content, init } = (thrown ?? {}) as Partial<Thrown>;
  const status = init?.status ?? 0;
  if (type !== "DataWithResponseInit" || !content || !("kind" in content)) return undefined;
  return statuses.length === 0 || statuses.includes(status) ? { ...content, status } : undefined;
}
