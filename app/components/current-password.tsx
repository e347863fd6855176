import { Field } from "./field.tsx";
import type { recordForm, Refusal } from "./record-form.tsx";

/** The button's value in a form that requires the current password, so that it is required again. */
export const withPassword = "save-with-password";

/** Whether the form must ask for the current password: only if the provider requires it. */
export const asksPassword = (refusal: Refusal | undefined) =>
  refusal?.errors.current_password !== undefined || refusal?.values.go === withPassword;

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
