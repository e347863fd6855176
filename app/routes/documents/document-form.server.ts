import { z } from "zod";
import { mostPageFiles } from "#provider/contract/document-options.ts";
import { documentFields, number, updateDocument } from "#provider/contract/document-form.ts";
import { errorsByField } from "#provider/contract/fields.ts";
import type { Fields } from "../../server/forms/forms.ts";
import type { CustomField, DraftValues } from "../../server/drafts/drafts.ts";

/** A document's form as it was typed, in the wizard and on the edit page. */
export type Typed = {
  values: DraftValues;
  /** The custom field that is being typed and not yet added. */
  added: CustomField;
  /** Which button was pressed: `next`, `add`, `remove-2`, … */
  intent: string;
};

/** Every field that a document's forms have: the contract's, and the controls beside them. */
export const documentForm = z.object({
  ...documentFields,
  number,
  version: updateDocument.body.shape.version,
  intent: z.string(),
  has_prolongation: z.string(),
  has_custom_fields: z.string(),
  added_field: z.object({ name: z.string(), value: z.string() }),
  placing_corner: z.string(),
  placing_pages: z.string(),
  placing_size: z.string(),
  /** The keys of a draft's page files in the order that they were dragged into. */
  order: z.array(z.string()).max(mostPageFiles),
});

const textFields = [
  "document_type",
  "document_subtype",
  "number",
  "date",
  "name",
  "email",
  "expire_type",
  "expire_date",
  "access_type",
  "users_access_group",
] as const;

type Part = { name?: unknown; value?: unknown };
const text = (value: unknown) => (typeof value === "string" ? value : "");
const asField = (part: unknown): CustomField => {
  const { name, value } = (part ?? {}) as Part;
  return { name: text(name), value: text(value) };
};

/** Reads those fields that the form has. A form with custom fields says so with `has_custom_fields`. */
export function readTyped(form: Fields): Typed {
  const payload = form.values(documentForm);
  const values: DraftValues = {};
  for (const name of textFields) if (name in payload) values[name] = text(payload[name]);
  // A checkbox that is not ticked is not sent: the form says beside it that it was asked.
  if ("has_prolongation" in payload) values.prolongation = payload.prolongation ? "1" : "0";
  if ("has_custom_fields" in payload) {
    values.custom_fields = (Array.isArray(payload.custom_fields) ? payload.custom_fields : []).map(asField);
  }
  if ("placing_corner" in payload) values.qr_placing = placingOf(payload);
  return { values, added: asField(payload.added_field), intent: form.get("intent") ?? "" };
}

function placingOf({ placing_corner, placing_pages, placing_size }: Record<string, unknown>) {
  return placing_corner === "none" ? "none" : [placing_corner, placing_pages, placing_size].map(text).join(":");
}

/** Errors by field name, the first of each to be shown. */
export type Errors = Record<string, string[]>;

/** Buttons that go on only with complete fields; all others keep a half one as it is. */
const demanding = ["add", "next", "save"];

/**
 * What the buttons of the custom fields do to what was typed. A complete new field is added by whatever button is
 * pressed, so that nothing typed is lost. A form without custom fields passes as it is.
 */
export function withCustomFieldButtons(typed: Typed): { values: DraftValues; added: CustomField; errors: Errors } {
  const { values, added, intent } = typed;
  if (!values.custom_fields) return { values, added, errors: {} };
  const removed = /^remove-(\d+)$/.exec(intent)?.[1];
  const custom_fields = values.custom_fields.filter((_, index) => String(index) !== removed);
  const [name, value] = [added.name.trim(), added.value.trim()];
  if (name && value) {
    const grown = [...custom_fields, { name, value }];
    const errors = addedErrors(grown);
    if (Object.keys(errors).length === 0)
      return { values: { ...values, custom_fields: grown }, added: nothing, errors };
    return { values: { ...values, custom_fields }, added, errors: demanding.includes(intent) ? errors : {} };
  }
  const errors: Errors = {};
  if (demanding.includes(intent) && (intent === "add" || name || value)) {
    if (!name)
      errors["added_field[name]"] = [
        intent === "add" ? "Enter the name of the field to add" : halfMessage("name", value),
      ];
    if (!value)
      errors["added_field[value]"] = [
        intent === "add" ? "Enter the value of the field to add" : halfMessage("value", name),
      ];
  }
  return { values: { ...values, custom_fields }, added, errors };
}

/** What the contract has against the last of these fields, at the boxes that it was typed in. */
function addedErrors(fields: CustomField[]): Errors {
  const parsed = documentFields.custom_fields.safeParse(fields);
  if (parsed.success) return {};
  const own = Object.entries(errorsByField(parsed.error)).flatMap(([field, messages]) => {
    const [, index, part] = /^\[?(\d+)\]?\[(\w+)\]$/.exec(field) ?? [];
    if (field === "") return [["added_field[name]", messages] as const];
    return Number(index) === fields.length - 1 ? [[`added_field[${part}]`, messages] as const] : [];
  });
  return Object.fromEntries(own);
}

const halfMessage = (missing: string, typed: string) => `Enter the ${missing} of the field to add, or empty “${typed}”`;

const nothing: CustomField = { name: "", value: "" };
