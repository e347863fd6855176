import { Field } from "./field.tsx";
import type { recordForm, Refusal } from "./record-form.tsx";

/** On the button of a form that asks for the current password, so that it goes on asking. */
export const withPassword = "save-with-password";

/** Whether a form with another email must ask for the current password: only where the provider says so. */
export const asksPassword = (refusal: Refusal | undefined) =>
  refusal?.errors.current_password !== undefined || refusal?.values.intent === withPassword;

/** The password of the user who makes the change. */
export const CurrentPassword = ({ field }: Pick<ReturnType<typeof recordForm>, "field">) => (
  <Field
    field={field("current_password")}
    label="Your current password"
    hint="To change the email"
    type="password"
    autoComplete="current-password"
  />
);
