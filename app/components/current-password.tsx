import type { SubmissionResult } from "@conform-to/react";
import { Field, type FieldState } from "./field.tsx";
import type { formState } from "./form-state.ts";
import { PasswordInput } from "./password-input.tsx";

/** The intent of a form that asks for the current password, so that it asks again after other errors. */
export const withPassword = "save-with-password";

/** Whether the form asks for the current password: once the provider has requested it. */
export const asksPassword = ({ values, field }: Pick<ReturnType<typeof formState>, "values" | "field">) =>
  values.intent === withPassword || field("current_password").errors !== undefined;

/** The same of a form whose buttons have intents of their own. */
export const wasAskedPassword = (field: FieldState, reply: SubmissionResult | undefined) =>
  field.errors !== undefined || reply?.fields?.includes("current_password");

/** The user's own password, which proves who asks. */
export const CurrentPassword = (props: { field: FieldState; label: string; hint?: string }) => (
  <Field {...props} type="password" Input={PasswordInput} autoComplete="current-password" />
);
