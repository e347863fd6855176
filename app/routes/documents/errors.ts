import { summaryOfErrors } from "../../components/error-summary.tsx";
import type { Errors } from "./document-form.server.ts";

/** Controls whose id is not their field's name. */
const controls: Record<string, string> = { qr_placing: "placing_corner" };

/** A document's errors for the summary, every file's among them. */
export const summary = (errors: Errors) =>
  summaryOfErrors(errors, { idOf: (name) => controls[name] ?? name, whole: "files" });
