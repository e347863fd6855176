import type { SummaryError } from "../../components/error-summary.tsx";
import type { Errors } from "./typed.ts";

/** Controls whose id is not their field's name. */
const controls: Record<string, string> = { qr_placing: "placing_corner" };

/** Errors for the summary: the first of each field, but every file's. Those without a field have no link. */
export const summary = (errors: Errors): SummaryError[] =>
  Object.entries(errors).flatMap(([name, messages]) =>
    messages
      .slice(0, name === "files" ? undefined : 1)
      .map((message) => (name ? { message, fieldId: controls[name] ?? name } : { message })),
  );
