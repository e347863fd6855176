import { storageFailureMessages, storageFailureOf } from "#storage/failures.ts";
import { log } from "./process/log.ts";
import { toPageFailure } from "./page-work.ts";
import { failure } from "./provider/failure.ts";

/** What is to be thrown instead of `error`: where the store or the database has trouble, the same in words for the user. */
export function toUserFailure(error: unknown): unknown {
  const trouble = storageFailureOf(error);
  if (!trouble) return toPageFailure(error);
  log.error({ err: error }, `storage failure: ${trouble}`);
  return failure(503, { kind: "out-of-order", message: storageFailureMessages[trouble], retryAfter: 5 });
}

/** The same functions, failing in words. */
export const withUserFailures = <Functions extends object>(functions: Functions): Functions =>
  Object.fromEntries(
    Object.entries(functions as Record<string, (...given: unknown[]) => unknown>).map(([name, work]) => [
      name,
      async (...given: unknown[]) => {
        try {
          return await work(...given);
        } catch (error) {
          throw toUserFailure(error);
        }
      },
    ]),
  ) as Functions;
