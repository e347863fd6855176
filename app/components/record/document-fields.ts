import { t } from "#lib/messages/staff.ts";
import type { RecordField } from "./record-fields.ts";

/** A document's type and subtype. */
export const typeFields = {
  type: { name: "document_type", label: t("components.documentFields.documentType") },
  subtype: { name: "document_subtype", label: t("components.documentFields.documentSubtype") },
};

/** The fields that every document has (`docs/specification.md` section 2, step 2 of the wizard). */
export const systemFields: RecordField[] = [
  { name: "number", label: t("common.documentNumber"), maxLength: 50 },
  {
    name: "date",
    label: t("common.creationDate"),
    isRequired: true,
    isDate: true,
    hint: t("components.documentFields.dateHint"),
    inputMode: "numeric",
  },
  { name: "name", label: t("common.documentName"), isRequired: true, className: "col-span-full", maxLength: 200 },
  {
    name: "email",
    label: t("common.userEmail"),
    isRequired: true,
    type: "email",
    hint: t("components.documentFields.emailHint"),
    spellCheck: false,
  },
  {
    name: "users_access_group",
    label: t("common.companyUsersAccessGroup"),
    hint: t("components.documentFields.accessGroupHint"),
  },
  {
    name: "expire_type",
    label: t("common.expireType"),
    isRequired: true,
    none: t("common.choose"),
    options: [
      { value: "never", label: t("common.never") },
      { value: "date", label: t("components.documentFields.onADate") },
    ],
  },
  {
    name: "expire_date",
    label: t("common.expireDate"),
    isDate: true,
    inputMode: "numeric",
    placeholder: t("common.dayMonthYear"),
  },
  {
    name: "access_type",
    label: t("common.documentAccessType"),
    hint: t("components.documentFields.accessTypeHint"),
  },
  {
    name: "prolongation",
    label: t("common.prolongation"),
    type: "checkbox",
    hint: t("components.documentFields.prolongationHint"),
  },
];

export const placingField: RecordField = {
  name: "qr_placing",
  label: t("common.qrPlacing"),
  inWords: placingInWords,
};

/** `bottom-right:first:medium` as `bottom right, first page, 30 mm`; another provider's own one as it is. */
export function placingInWords(placing: string): string {
  if (placing === "none" || placing === "") return t("components.documentFields.noPlacing");
  const [, place = "", left = "", top = "", pages = "", size = "", bare] =
    /^([a-z]+-[a-z]+|([\d.]+),([\d.]+)):(first|last|every):(small|medium|large|\d+)(:bare)?$/.exec(placing) ?? [];
  if (!place) return placing;
  // A message's choices have no hyphens in their names.
  const choices = {
    place: place.replace("-", "_"),
    pages: place === "own-page" ? "none" : pages,
    bare: bare ? "yes" : "no",
  };
  return t("components.documentFields.placing", { ...choices, size, left, top });
}

/** All fields of a document that have a label of their own; the author names the others. */
export const documentFieldTable = [typeFields.type, typeFields.subtype, ...systemFields, placingField];
