import type { Refusal } from "./record-form.tsx";

/** On the button of a form that asks for the current password, so that it goes on asking. */
export const withPassword = "save-with-password";

/** Whether a form with another email must ask for the current password: only where the provider says so. */
export const asksPassword = (refusal: Refusal | undefined) =>
  refusal?.errors.current_password !== undefined || refusal?.values.go === withPassword;
