import { isUniqueViolation } from "#storage/dialect.ts";
import { HttpError } from "../http/errors.ts";

/** Addresses are unique over the installation, because they sign in; where else one is used is not returned. */
export class EmailTaken extends HttpError {
  constructor() {
    const email = ["This email address is already used: enter another"];
    super(422, "Check the fields below", { errors: { email } });
  }
}

/** Refuses where the database found the address elsewhere, and throws any other error on. */
export function rethrowEmailTaken(error: unknown): never {
  throw isUniqueViolation(error) ? new EmailTaken() : error;
}
