import { isRouteErrorResponse } from "react-router";

/** Statuses with which our own server answers in plain text as well. */
const ownStatuses = [404, 405, 503];

/**
 * Why a request has no reply of ours: it was not answered, or by another, as by a network's sign-in page or a gateway.
 * Undefined for other errors.
 */
export function noReplyOf(error: unknown): "unanswered" | "foreign" | undefined {
  if (typeof document === "undefined") return undefined;
  // Browsers throw TypeError when the network fails.
  if (error instanceof TypeError) return "unanswered";
  const isOther = isRouteErrorResponse(error)
    ? typeof error.data === "string" && !ownStatuses.includes(error.status)
    : // The router's, of a body that is none of its streams.
      error instanceof Error && error.message === "Unable to decode turbo-stream response";
  return isOther ? "foreign" : undefined;
}
