import { say } from "#lib/messages/staff.ts";
import type { RecordField } from "./record-fields.ts";

/** A document's type and subtype. */
export const typeFields = {
  type: { name: "document_type", label: say("components.documentFields.documentType") },
  subtype: { name: "document_subtype", label: say("components.documentFields.documentSubtype") },
};

/** The fields that every document has (`docs/specification.md` section 2, step 2 of the wizard). */
export const systemFields: RecordField[] = [
  { name: "number", label: say("common.documentNumber"), maxLength: 50 },
  {
    name: "date",
    label: say("common.creationDate"),
    isRequired: true,
    isDate: true,
    hint: say("components.documentFields.dateHint"),
    inputMode: "numeric",
  },
  { name: "name", label: say("common.documentName"), isRequired: true, className: "col-span-full", maxLength: 200 },
  {
    name: "email",
    label: say("common.userEmail"),
    isRequired: true,
    type: "email",
    hint: say("components.documentFields.emailHint"),
    spellCheck: false,
  },
  {
    name: "users_access_group",
    label: say("common.companyUsersAccessGroup"),
    hint: say("components.documentFields.accessGroupHint"),
  },
  {
    name: "expire_type",
    label: say("common.expireType"),
    isRequired: true,
    none: say("common.choose"),
    options: [
      { value: "never", label: say("common.never") },
      { value: "date", label: say("components.documentFields.onADate") },
    ],
  },
  {
    name: "expire_date",
    label: say("common.expireDate"),
    isDate: true,
    inputMode: "numeric",
    placeholder: say("common.dayMonthYear"),
  },
  {
    name: "access_type",
    label: say("common.documentAccessType"),
    hint: say("components.documentFields.accessTypeHint"),
  },
  {
    name: "prolongation",
    label: say("common.prolongation"),
    type: "checkbox",
    hint: say("components.documentFields.prolongationHint"),
  },
];

const placing: RecordField = {
  name: "qr_placing",
  label: say("common.qrPlacing"),
  inWords: placingInWords,
};

/** `bottom-right:first:medium` as `Bottom right, first, medium`; another provider's own one as it is. */
function placingInWords(placing: string): string {
  if (placing === "none") return say("components.documentFields.noPlacing");
  const [, corner = "", pages = "", size = ""] =
    /^((?:top|bottom)-(?:left|right)):(first|last|every):(small|medium|large)$/.exec(placing) ?? [];
  if (!corner) return placing;
  // A message's choices have no hyphens in their names.
  return say("components.documentFields.placing", { corner: corner.replace("-", "_"), pages, size });
}

/** All fields of a document that have a label of their own; the author names the others. */
export const documentFieldTable = [typeFields.type, typeFields.subtype, ...systemFields, placing];
