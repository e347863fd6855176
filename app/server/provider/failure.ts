import { data } from "react-router";

/**
 * How a call to the provider can end badly. It is thrown as a response, so that the nearest error boundary shows it
 * with its status; forms catch what belongs to them (`forms.ts`).
 */
export type Failure = {
  kind: "refused" | "unreachable" | "unknown-call" | "out-of-order";
  /** In words for the user. */
  message: string;
  /** Of each field, the first message first. */
  errors?: Record<string, string[]>;
  /** Of what could not be reached: whether it is certain that nothing was done. */
  isUndone?: boolean;
  /** Seconds after which it is worth trying again. */
  retryAfter?: number;
};

/** The failure as it is thrown from loaders and actions. */
export const failure = (status: number, content: Failure) => data(content, { status });

/** Something that the provider can't do: another's may know the specification's ten calls and nothing else. */
export const notOffered = (what: string) =>
  failure(501, { kind: "unknown-call", message: `Your provider does not offer ${what}.` });

type Thrown = ReturnType<typeof failure>;

/** What is asked for, or undefined where the provider does not offer it or the access group does not show it. */
export async function ifShown<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (thrown) {
    if (asFailure(thrown, 403, 501)) return undefined;
    throw thrown;
  }
}

/**
 * A record that is asked for. A provider that does not answer for its list either has no records of the kind at all:
 * then that is said instead.
 */
export async function orNotOffered<T>(asked: Promise<T>, askList: () => Promise<unknown>): Promise<T> {
  try {
    return await asked;
  } catch (thrown) {
    if (asFailure(thrown, 404)) await askList();
    throw thrown;
  }
}

/** A failure among whatever was thrown; with statuses, only if it has one of them. */
export function asFailure(thrown: unknown, ...statuses: number[]): (Failure & { status: number }) | undefined {
  const { type, data: content, init } = (thrown ?? {}) as Partial<Thrown>;
  const status = init?.status ?? 0;
  if (type !== "DataWithResponseInit" || !content || !("kind" in content)) return undefined;
  return statuses.length === 0 || statuses.includes(status) ? { ...content, status } : undefined;
}
