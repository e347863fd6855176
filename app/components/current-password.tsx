import type { formState } from "./form-state.ts";

/** The `intent` of a form that already asks for the current password, so that it goes on asking. */
export const withPassword = "save-with-password";

/** Whether a form asks for the current password: once the provider requires it to change the email. */
export const asksPassword = ({ values, field }: Pick<ReturnType<typeof formState>, "values" | "field">) =>
  values.intent === withPassword || field("current_password").errors !== undefined;
