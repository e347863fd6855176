import type { SubmissionResult } from "@conform-to/react";
import { t } from "#lib/messages/staff.ts";
import { errorsByField } from "#provider/contract/fields.ts";
import { z } from "zod";
import { copies, documentFields, expiryRules, number, subtypeOfType } from "#provider/contract/document-form.ts";
import { concerns, type Draft, type DraftValues } from "../../../server/drafts/drafts.ts";
import { conformName, type FormErrors } from "../../../server/forms/forms.ts";
import { asFields } from "../edit/document-form.server.ts";
import { type StepId, steps } from "./steps.ts";

/** The contract's rules by step. */

const { document_type, document_subtype, qr_placing, ...details } = documentFields;

export const stepSchemas = {
  type: z.object({ document_type, document_subtype }).refine(subtypeOfType.check, subtypeOfType.refusal),
  fields: expiryRules.reduce(
    (schema, { check, refusal }) => schema.refine(check, refusal),
    z.object({ number, ...details }),
  ),
  pages: z.object({ qr_placing, copies }),
  review: z.object({}),
} satisfies Record<StepId, z.ZodType>;

/** The fields whose errors a step shows. */
const fieldsOf = (step: StepId) => [...Object.keys(stepSchemas[step].shape), ...(step === "pages" ? ["files"] : [])];

/** The second step's tabs. */
export type TabId = "system" | "custom";
const isCustomField = (error: string) => concerns(error, "custom_fields") || concerns(error, "added_field");
const tabOf = (error: string): TabId => (isCustomField(error) ? "custom" : "system");

/** The tab to open first: the one that has errors, the first one if both have. */
export const openTab = (errors: FormErrors): TabId =>
  Object.keys(errors).length > 0 && Object.keys(errors).every(isCustomField) ? "custom" : "system";

/** A step's errors by the contract's field names: from its rules, and from the provider. */
export function stepErrors(draft: Draft, step: StepId, values: DraftValues = draft.values): FormErrors {
  const parsed = stepSchemas[step].safeParse(values);
  const errors = parsed.success ? {} : errorsByField(parsed.error);
  if (step === "pages" && draft.files.length === 0) errors.files = [t("documents.wizard.schema.addAPageFile")];
  return { ...refusedIn(draft.refusal, step), ...errors };
}

const refusedIn = (refusal: Draft["refusal"], step: StepId): FormErrors =>
  Object.fromEntries(
    Object.entries(refusal).filter(([error]) => fieldsOf(step).some((field) => concerns(error, field))),
  );

/**
 * A step's errors as a reply for its form, or for a tab of it: what the provider refused, and with `isChecked` what is
 * missing or wrong. Undefined if there is nothing to show.
 */
export function stepReply(
  draft: Draft,
  step: StepId,
  { isChecked, tab }: { isChecked: boolean; tab?: TabId },
): SubmissionResult | undefined {
  const refused = refusedIn(draft.refusal, step);
  const errors = isChecked ? stepErrors(draft, step) : refused;
  const error: FormErrors = {};
  // Messages about no field are shown on the step that the refusal leads to.
  if (step === firstRefusedStep(draft.refusal)) error[""] = [...(draft.refusal[""] ?? [])];
  const order = fieldsOf(step);
  const inOrder = Object.entries(errors).toSorted(([a], [b]) => placeOf(a, order) - placeOf(b, order));
  for (const [name, messages] of inOrder) {
    if (tab && tabOf(name) !== tab) continue;
    // Of the rules the first one counts; the provider's messages are all shown.
    const counted = name in refused || name === "files" ? messages : messages.slice(0, 1);
    (error[controlOf(name, draft.values)] ??= []).push(...counted);
  }
  return Object.values(error).some((messages) => messages.length > 0) ? { error } : undefined;
}

const placeOf = (error: string, fields: string[]) => fields.findIndex((field) => concerns(error, field));

/** The form's name for an error; empty for a custom field that the draft does not have. */
function controlOf(error: string, values: DraftValues) {
  const name = conformName(error);
  if (!isCustomField(error)) return name;
  const controls = ["added_field.name", "added_field.value", ...Object.keys(asFields(values))];
  return [name, `${name}.name`].find((control) => controls.includes(control)) ?? "";
}

/** Refusals under the contract's names, which other providers may spell `files.0`; those of no field under `""`. */
export function placeRefusals(errors: Draft["refusal"]): Draft["refusal"] {
  const placed: Draft["refusal"] = {};
  const fieldNames = steps.flatMap(({ id }) => fieldsOf(id));
  for (const [error, messages] of Object.entries(errors)) {
    const name = error.replaceAll(/\.([^.[\]]+)/g, "[$1]");
    const field = fieldNames.find((field) => concerns(name, field));
    const place = field === undefined ? "" : field === "custom_fields" ? name : field;
    placed[place] = [...new Set([...(placed[place] ?? []), ...messages])];
  }
  return placed;
}

const firstRefusedStep = (refusal: Draft["refusal"]) =>
  steps.find(({ id }) => Object.keys(refusedIn(refusal, id)).length > 0)?.id;

/** The first step that is not complete, or the last. */
export const firstOpenStep = (draft: Draft): StepId =>
  steps.find(({ id }) => Object.keys(stepErrors(draft, id)).length > 0)?.id ?? "review";

/** The steps that are complete. */
export const completeSteps = (draft: Draft): StepId[] =>
  steps.filter(({ id }) => id !== "review" && Object.keys(stepErrors(draft, id)).length === 0).map(({ id }) => id);
