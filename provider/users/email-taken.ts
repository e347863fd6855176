import { isUniqueViolation } from "#storage/dialect.ts";
import { HttpError } from "../http/errors.ts";

/** Email addresses are unique over all companies, as they sign in. The reply does not say who has one. */
export class EmailTaken extends HttpError {
  constructor() {
    const email = ["This email address is already used: enter another"];
    super(422, "Check the fields below", { errors: { email } });
  }
}

/** Rethrows a unique violation as `EmailTaken`, any other error as it is. */
export function rethrowEmailTaken(error: unknown): never {
  throw isUniqueViolation(error) ? new EmailTaken() : error;
}
