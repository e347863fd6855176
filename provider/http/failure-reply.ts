import { PageWorkBusy, PageWorkFailed } from "#lib/page-files/refusals.ts";
import { logStorageFailure, storageFailureMessages, storageFailureOf } from "#lib/storage/database/failures.ts";
import type { Log } from "../services.ts";
import { HttpError } from "./errors.ts";
import { errorReply } from "./replies.ts";

/** The reply to an error that a call threw; only unexpected ones are logged. */
export function failureReply(log: Log, thrown: Error, signal?: AbortSignal) {
  const error = asHttpError(thrown);
  if (signal?.aborted && error === signal.reason) return new Response(null, { status: 499 });
  if (error instanceof HttpError) {
    if (error.reachedLimit) log.warn({ limit: error.reachedLimit }, "rate limit reached");
    return errorReply(error);
  }
  const trouble = storageFailureOf(error);
  if (!trouble) {
    log.error({ err: error }, "unhandled error in an endpoint");
    return errorReply(new HttpError(500, "Something went wrong on our side. Try again."));
  }
  logStorageFailure(log, error, trouble);
  return errorReply(
    new HttpError(503, storageFailureMessages[trouble], { retryAfter: trouble === "no space" ? 60 : 5 }),
  );
}

/** Page work that was refused as an HTTP error; any other error as it is. */
function asHttpError(error: Error) {
  if (error instanceof PageWorkBusy) return new HttpError(503, error.message, { retryAfter: error.retryAfter });
  return error instanceof PageWorkFailed ? new HttpError(422, error.message) : error;
}
