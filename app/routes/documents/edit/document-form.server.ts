import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { documentFields } from "#provider/contract/document-form.ts";
import type { CustomField, DraftValues } from "../../../server/drafts/drafts.ts";
import { type Fields, fieldsFrom, type FormErrors, maxFields } from "../../../server/forms/forms.ts";

const text = z.string().optional();
const pair = z.object({ name: text, value: text });

const texts = z.object({
  document_type: text,
  document_subtype: text,
  number: text,
  date: text,
  name: text,
  email: text,
  expire_type: text,
  expire_date: text,
  access_type: text,
  users_access_group: text,
  copies: text,
});

/** Beside a document's custom fields: the one that is being added, and that the form has them at all. */
export const customFieldControls = { added_field: pair.optional(), has_custom_fields: text };

/** A document's form under the contract's names, whatever was typed in it. */
export const draftForm = texts.extend({
  prolongation: text,
  qr_placing: text,
  custom_fields: z.array(pair).max(maxFields).optional(),
  version: text,
  intent: text,
  ...customFieldControls,
});

export const placingControls = z.object({
  placing_corner: text,
  placing_pages: text,
  placing_size: text,
  placing_left: text,
  placing_top: text,
  placing_side: text,
  placing_bare: text,
});

/** The same as pages send it: with the controls that some of those fields are made of. */
export const documentForm = draftForm.extend({
  ...placingControls.shape,
  /** A box that is not ticked is not sent; this is, beside it. */
  has_prolongation: text,
  /** The keys of a draft's page files in the order that they were dragged into. */
  order: z.array(z.string()).max(maxFields).optional(),
});

export type DocumentForm = {
  /** The fields that the form had, the custom ones as the pressed button leaves them. */
  values: DraftValues;
  /** The pressed button: `next`, `add`, `remove-2`, … */
  intent: string;
  /** Errors of the custom field that is being added. */
  errors: FormErrors;
  /** The same fields for `handleForm`. */
  form: Fields;
};

/** Reads a document's form, in the wizard and on the edit page. */
export function readDocumentForm(sent: Fields): DocumentForm {
  const parsed = documentForm.parse(sent.values(documentForm));
  const { intent = "", version, has_custom_fields, has_prolongation, prolongation, placing_corner } = parsed;
  const values: DraftValues = texts.parse(parsed);
  if (has_prolongation !== undefined) values.prolongation = prolongation ? "1" : "0";
  // With nothing chosen, a date says that the document expires, and so does Prolongation.
  if (values.expire_type === "" && (values.expire_date?.trim() || prolongation)) values.expire_type = "date";
  if (placing_corner !== undefined) {
    values.qr_placing = placingOf(parsed);
  }
  let errors: FormErrors = {};
  if (has_custom_fields !== undefined) {
    const custom = afterButton((parsed.custom_fields ?? []).map(asField), asField(parsed.added_field), intent);
    Object.assign(values, custom.values);
    errors = custom.errors;
  }
  const fields = Object.entries({ version, has_custom_fields, intent, ...asFields(values) });
  const present = fields.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]));
  return { values, intent, errors, form: fieldsFrom(present, draftForm) };
}

/** The controls of `placing-fields.tsx` as the contract's text. */
function placingOf(controls: z.output<typeof placingControls>): string {
  const { placing_corner = "none", placing_pages = "", placing_size = "", placing_bare } = controls;
  if (placing_corner === "none") return "none";
  const caption = placing_bare ? ":bare" : "";
  if (placing_corner === "own-page") return `own-page:last:${placing_size}${caption}`;
  if (placing_corner !== "own") return `${placing_corner}:${placing_pages}:${placing_size}${caption}`;
  const { placing_left, placing_top, placing_side } = controls;
  const [left, top, side] = [placing_left, placing_top, placing_side].map(millimetresOf);
  return `${left},${top}:${placing_pages}:${side}${caption}`;
}

/** A form with `qr_placing` in place of its controls. */
export const withPlacing = (form: Fields, schema: z.ZodObject, none: string): Fields =>
  fieldsFrom(
    [
      ...form.entries(),
      ["qr_placing", placingOf(placingControls.parse(form.values(placingControls))).replace(/^none$/, none)],
    ],
    schema,
  );

/** `12,50` as `12.5`; what is no number stays, but for the characters between a placing's parts. */
function millimetresOf(typed = ""): string {
  const number = typed.trim().replace(",", ".");
  return /^\d{1,4}(\.\d{1,3})?$/.test(number)
    ? String(Math.round(Number(number) * 10) / 10)
    : number.replace(/[:,]/g, " ");
}

/** A document's values under the names of its form. */
export const asFields = ({ custom_fields = [], added_field, ...texts }: DraftValues): Record<string, string> =>
  Object.assign(
    { ...texts },
    ...custom_fields.map((field, index) => named(`custom_fields[${index}]`, field)),
    added_field && named("added_field", added_field),
  );

const named = (field: string, { name, value }: CustomField) => ({ [`${field}.name`]: name, [`${field}.value`]: value });
const asField = ({ name = "", value = "" }: Partial<CustomField> = {}): CustomField => ({ name, value });

/** Buttons that go on only with complete fields; all others keep a half one as it is. */
const validatingButtons = ["add", "next", "save"];

type CustomFieldsAfter = { values: Required<Pick<DraftValues, "custom_fields" | "added_field">>; errors: FormErrors };

/** The custom fields after a button. Any button adds a new field that is complete, so that nothing typed is lost. */
function afterButton(fields: CustomField[], added: CustomField, intent: string): CustomFieldsAfter {
  const removed = /^remove-(\d+)$/.exec(intent)?.[1];
  const custom_fields = fields.filter((_, index) => String(index) !== removed);
  const [name, value] = [added.name.trim(), added.value.trim()];
  const grown = [...custom_fields, { name, value }];
  const errors = name && value ? addedErrors(grown) : missingErrors({ name, value }, intent);
  if (name && value && Object.keys(errors).length === 0) {
    return { values: { custom_fields: grown, added_field: asField() }, errors };
  }
  return {
    values: { custom_fields, added_field: added },
    errors: validatingButtons.includes(intent) ? errors : {},
  };
}

/** The schema's errors of the last field, under the names of its inputs. */
function addedErrors(fields: CustomField[]): FormErrors {
  const errors: FormErrors = {};
  for (const { path, message } of documentFields.custom_fields.safeParse(fields).error?.issues ?? []) {
    const [index, part = "name"] = path;
    if (index === undefined || index === fields.length - 1) errors[`added_field.${String(part)}`] ??= [message];
  }
  return errors;
}

function missingErrors({ name, value }: CustomField, intent: string): FormErrors {
  const isAdding = intent === "add";
  if (!isAdding && !name && !value) return {};
  const enterName = isAdding
    ? t("documents.documentForm.enterName")
    : t("documents.documentForm.enterNameOrEmpty", { typed: value });
  const enterValue = isAdding
    ? t("documents.documentForm.enterValue")
    : t("documents.documentForm.enterValueOrEmpty", { typed: name });
  return {
    ...(!name && { "added_field.name": [enterName] }),
    ...(!value && { "added_field.value": [enterValue] }),
  };
}
