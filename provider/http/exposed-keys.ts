import type { MiddlewareHandler } from "hono";
import { keyIn } from "../api-keys/key-text.ts";
import { noteExposed } from "../api-keys/keys.ts";
import type { Services } from "../services.ts";
import { exposedKey } from "./errors.ts";

/** Refuses requests with an API key in their address, whatever they ask for, and marks the key for its user. */
export const refuseExposedKeys =
  ({ db, log, now }: Pick<Services, "db" | "log" | "now">): MiddlewareHandler =>
  async ({ req }, next) => {
    const key = keyIn(req.url) ?? keyIn(decoded(req.url));
    if (!key) return next();
    const id = await noteExposed(db, key, now());
    log.warn({ key: id ?? "unknown" }, "API key in an address refused");
    throw exposedKey();
  };

/** Malformed encodings are taken literally. */
function decoded(address: string) {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
