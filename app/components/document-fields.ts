import type { RecordField } from "./record-fields.ts";

/** A document's type and subtype. */
export const typeFields = {
  type: { name: "document_type", label: "Document type" },
  subtype: { name: "document_subtype", label: "Document subtype" },
};

/** The fields that every document has (`docs/specification.md` section 2, step 2 of the wizard). */
export const systemFields: RecordField[] = [
  { name: "number", label: "Document number", maxLength: 50 },
  {
    name: "date",
    label: "Creation date",
    isRequired: true,
    isDate: true,
    hint: "Day, month, year, like 19-11-2026",
    inputMode: "numeric",
  },
  { name: "name", label: "Document name", isRequired: true, className: "col-span-full", maxLength: 200 },
  {
    name: "email",
    label: "User email",
    isRequired: true,
    type: "email",
    hint: "The document’s owner",
    spellCheck: false,
  },
  {
    name: "users_access_group",
    label: "Company users access group",
    hint: "Who sees it besides the user and administrators",
  },
  {
    name: "expire_type",
    label: "Expire type",
    isRequired: true,
    none: "Choose …",
    options: [
      { value: "never", label: "Never" },
      { value: "date", label: "On a date" },
    ],
  },
  { name: "expire_date", label: "Expire date", isDate: true, inputMode: "numeric", placeholder: "DD-MM-YYYY" },
  {
    name: "access_type",
    label: "Document access type",
    hint: "What a scan shows: the facts, or the pages as well",
  },
  {
    name: "prolongation",
    label: "Prolongation",
    type: "checkbox",
    hint: "Can be renewed for the same period with one click",
  },
];

const placing: RecordField = {
  name: "qr_placing",
  label: "QR placing",
  /** `bottom-right:first:medium` as `Bottom right, first, medium`. */
  inWords: (value) => (value.charAt(0).toUpperCase() + value.slice(1)).replaceAll("-", " ").replaceAll(":", ", "),
};

/** All fields of a document that have a label of their own; the author names the others. */
export const documentFieldTable = [typeFields.type, typeFields.subtype, ...systemFields, placing];
