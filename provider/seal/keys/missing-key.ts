import { OperatorKeyFailed } from "#lib/seal/operator-key.ts";
import { serviceUnavailable } from "../../http/errors.ts";
import type { Services } from "../../services.ts";
import { logLocked } from "../code-address.ts";

/** Throws 503 if no key can sign, and rethrows other errors. */
export const refuseWithoutKey =
  (services: Services) =>
  (error: unknown): never => {
    if (error instanceof OperatorKeyFailed) {
      services.log.error({ reason: error.message }, "the operator's key can't sign, sealing later");
      throw serviceUnavailable("This PDF can’t be sealed just now. Try again in some minutes", 300);
    }
    logLocked(services, error);
    throw serviceUnavailable("This PDF can’t be sealed now: ask the person who runs Sealdesk for you", 3600);
  };
