import { createRequestIDMiddleware } from "remix-utils/middleware/request-id";

/** A name for each request, which error pages and the log share. */
export const [requestId, getRequestId] = createRequestIDMiddleware({ header: "X-Request-ID" });
