import { data } from "react-router";

/**
 * Why a call to the provider failed. Thrown as a response, so that the nearest error boundary shows it with its status;
 * forms catch the failures that are about them.
 */
export type Failure = {
  kind: "refused" | "unreachable" | "unknown-call" | "out-of-order";
  /** In words for the user. */
  message: string;
  /** Messages by field, the most important first. */
  errors?: Record<string, string[]>;
  /** Whether the provider certainly did nothing. */
  wasNeverSent?: boolean;
  /** Seconds. */
  retryAfter?: number;
};

/** The failure as loaders and actions throw it. */
export const failure = (status: number, content: Failure) => data(content, { status });

/** The provider could not be reached, or its response is unusable. */
export const unreachable = (status: number, message: string, wasNeverSent = false) =>
  failure(status, { kind: "unreachable", message, wasNeverSent });

/** A call that the provider does not know: it may have the specification's ten calls only. */
export const notOffered = (what: string) =>
  failure(501, { kind: "unknown-call", message: `Your provider does not offer ${what}.` });

type Thrown = ReturnType<typeof failure>;

/** The reply, or undefined if the provider does not offer the call or the access group does not allow it. */
export async function orUndefinedIfHidden<T>(reply: Promise<T>): Promise<T | undefined> {
  try {
    return await reply;
  } catch (thrown) {
    if (asFailure(thrown, 403, 501)) return undefined;
    throw thrown;
  }
}

/** A record, where 404 may mean that the provider has no such records: then the list's own failure is thrown. */
export async function orUnsupported<T>(record: Promise<T>, requestList: () => Promise<unknown>): Promise<T> {
  try {
    return await record;
  } catch (thrown) {
    if (asFailure(thrown, 404)) await requestList();
    throw thrown;
  }
}

/** The failure in a thrown value; with statuses, only if it has one of them. */
export function asFailure(thrown: unknown, ...statuses: number[]): (Failure & { status: number }) | undefined {
  const { type, data: content, init } = (thrown ?? {}) as Partial<Thrown>;
  const status = init?.status ?? 0;
  if (type !== "DataWithResponseInit" || !content || !("kind" in content)) return undefined;
  return statuses.length === 0 || statuses.includes(status) ? { ...content, status } : undefined;
}
