import type { MiddlewareHandler } from "hono";
import { keyIn } from "../api-keys/key-text.ts";
import { noteExposed } from "../api-keys/keys.ts";
import type { Services } from "../services.ts";
import { exposedKey } from "./errors.ts";

type Refusing = Pick<Services, "db" | "log" | "now">;

/** Refuses requests with an API key in their address, whatever they ask for, and marks the key for its user. */
export const refuseExposedKeys =
  (services: Refusing): MiddlewareHandler =>
  async ({ req }, next) => {
    await refuseKeysIn(services, req.url);
    return next();
  };

/** Throws 401 if an address, or the values that one would have, contain an API key. */
export async function refuseKeysIn({ db, log, now }: Refusing, address: string): Promise<void> {
  const key = keyIn(address) ?? keyIn(decoded(address));
  if (!key) return;
  const id = await noteExposed(db, key, now());
  log.warn({ key: id ?? "unknown" }, "API key in an address refused");
  throw exposedKey();
}

/** Malformed encodings are taken literally. */
function decoded(address: string) {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
