import type { formState } from "./form-state.ts";

/** On the button of a form that asks for the current password, so that it goes on asking. */
export const withPassword = "save-with-password";

/** Whether a form with another email must ask for the current password: only where the provider says so. */
export const asksPassword = ({ values, field }: Pick<ReturnType<typeof formState>, "values" | "field">) =>
  values.intent === withPassword || field("current_password").errors !== undefined;
