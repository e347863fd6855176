import { createRequestIDMiddleware } from "remix-utils/middleware/request-id";

export const [requestId, getRequestId] = createRequestIDMiddleware({ header: "X-Request-ID" });
