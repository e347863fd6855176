import { isUniqueViolation } from "#lib/storage/database/dialect.ts";
import { HttpError } from "../../http/errors.ts";

/** Another user of the company has the address, or one of another company has proved it. Neither is named. */
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
