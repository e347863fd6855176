import type { formState } from "./form-state.ts";

/** The intent of a form that asks for the current password, so that it asks again after other errors. */
export const withPassword = "save-with-password";

/** Whether the form asks for the current password: once the provider has requested it. */
export const asksPassword = ({ values, field }: Pick<ReturnType<typeof formState>, "values" | "field">) =>
  values.intent === withPassword || field("current_password").errors !== undefined;
