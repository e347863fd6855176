import { t } from "#lib/messages/staff.ts";
import { logStorageFailure, type StorageFailure, storageFailureOf } from "#lib/storage/database/failures.ts";
import { log } from "./process/log.ts";
import { toPageFailure } from "./page-work.ts";
import { failure } from "./provider/failure.ts";

/** Texts for users. Reading still works without space; an unreachable database may have saved a change all the same. */
export const storageFailureWords: Record<StorageFailure, string> = {
  "no space": t("server.userFailure.noSpace"),
  unreachable: t("server.userFailure.unreachable"),
};

/** Maps an error of storage or page work to a failure that users can read, and returns others as they are. */
export function toUserFailure(error: unknown): unknown {
  const failed = storageFailureOf(error);
  if (!failed) return toPageFailure(error);
  logStorageFailure(log, error, failed);
  return failure(503, { kind: "out-of-order", message: storageFailureWords[failed], retryAfter: 5 });
}

/** The same functions, throwing failures that users can read. */
export const withUserFailures = <Functions extends object>(functions: Functions): Functions =>
  Object.fromEntries(
    Object.entries(functions as Record<string, (...parameters: unknown[]) => unknown>).map(([name, work]) => [
      name,
      async (...parameters: unknown[]) => {
        try {
          return await work(...parameters);
        } catch (error) {
          throw toUserFailure(error);
        }
      },
    ]),
  ) as Functions;
