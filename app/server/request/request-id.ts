import { randomUUID } from "node:crypto";

/** As proxies make them. What else a client may send is not repeated in replies and logs. */
const usable = /^[\w.:+/=-]{1,100}$/;

/** A request's id: that of its `X-Request-ID`, or a new one. */
export const requestIdOf = (header: unknown): string =>
  typeof header === "string" && usable.test(header) ? header : randomUUID();
