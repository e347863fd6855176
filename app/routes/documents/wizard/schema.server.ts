import type { SubmissionResult } from "@conform-to/react";
import { errorsByField } from "#provider/contract/fields.ts";
import { z } from "zod";
import {
  documentFields,
  expireDateGiven,
  expireDateLater,
  number,
  subtypeOfType,
} from "#provider/contract/document-form.ts";
import { concerns, type Draft, type DraftValues } from "../../../server/drafts/drafts.ts";
import { conformName, type FormErrors } from "../../../server/forms/forms.ts";
import { type StepId, steps } from "./steps.ts";

/** The contract's rules by step. */

const { document_type, document_subtype, qr_placing, ...details } = documentFields;

export const stepSchemas = {
  type: z.object({ document_type, document_subtype }).refine(subtypeOfType.check, subtypeOfType.refusal),
  fields: z
    .object({ number, ...details })
    .refine(expireDateGiven.check, expireDateGiven.refusal)
    .refine(expireDateLater.check, expireDateLater.refusal),
  pages: z.object({ qr_placing }),
  review: z.object({}),
} satisfies Record<StepId, z.ZodType>;

/** Whether an error is of a field on the second step's second tab. */
export const isCustomField = (error: string) => concerns(error, "custom_fields") || concerns(error, "added_field");

/** A step's errors by the contract's field names: from its rules, and from the provider. */
export function stepErrors(draft: Draft, step: StepId, values: DraftValues = draft.values): FormErrors {
  const schema = stepSchemas[step];
  const parsed = schema.safeParse(values);
  const errors = parsed.success ? {} : errorsByField(parsed.error);
  if (step === "pages" && draft.files.length === 0) errors.files = ["Add at least one page file"];
  const own = step === "pages" ? ["qr_placing", "files"] : Object.keys(schema.shape);
  const refused = Object.entries(draft.refusal).filter(([error]) => own.some((field) => concerns(error, field)));
  return { ...Object.fromEntries(refused), ...errors };
}

/** The same as a reply for the step's form: the first message of each field, and one for each file. */
export const stepReply = (draft: Draft, step: StepId): SubmissionResult => ({
  error: Object.fromEntries(
    Object.entries(stepErrors(draft, step)).map(([name, messages]) => [
      conformName(name),
      name === "files" ? messages : messages.slice(0, 1),
    ]),
  ),
});

/** The first step that is not complete, or the last. */
export const firstOpenStep = (draft: Draft): StepId =>
  steps.find(({ id }) => Object.keys(stepErrors(draft, id)).length > 0)?.id ?? "review";

/** The steps that are complete. */
export const completeSteps = (draft: Draft): StepId[] =>
  steps.filter(({ id }) => id !== "review" && Object.keys(stepErrors(draft, id)).length === 0).map(({ id }) => id);
