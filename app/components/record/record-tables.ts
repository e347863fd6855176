import { staffNameOf } from "#lib/messages/language-names.ts";
import { languages } from "#lib/messages/languages.ts";
import { t } from "#lib/messages/staff.ts";
import { passwordHint, type RecordField, type RecordSection } from "./record-fields.ts";

/** The fields of users, branches and the company. */

const name: RecordField = {
  name: "name",
  label: t("common.name"),
  isRequired: true,
  maxLength: 100,
  autoComplete: "name",
};
const email: RecordField = {
  name: "email",
  label: t("common.email"),
  type: "email",
  autoComplete: "email",
  spellCheck: false,
};
const phone: RecordField = { name: "phone", label: t("common.phone"), type: "tel", autoComplete: "tel" };
const image: RecordField = { name: "image", label: t("components.imageField.image"), type: "image" };
const country: RecordField = { name: "country", label: t("common.country"), autoComplete: "country-name" };
const city: RecordField = { name: "city", label: t("common.city"), autoComplete: "address-level2" };
const index: RecordField = { name: "index", label: t("common.index"), autoComplete: "postal-code" };
const address: RecordField = { name: "address", label: t("common.address"), autoComplete: "address-line1" };
const pendingEmail: RecordField = {
  name: "pending_email",
  label: t("components.recordTables.emailToBeConfirmed"),
  isReadOnly: true,
};

/** Users have both; branches and the company may lack an email, and the company a place. */
const required = (field: RecordField): RecordField => ({ ...field, isRequired: true });

const yesOrNo = [
  { value: "1", label: t("common.yes") },
  { value: "0", label: t("common.no") },
];

export const profileSections: RecordSection[] = [
  {
    id: "person",
    title: t("components.recordTables.person"),
    hint: t("components.recordTables.ownEmailHint"),
    fields: [name, required(email), image, phone],
  },
  { id: "place", title: t("common.place"), fields: [country, city, index, address] },
];

export const userSections: RecordSection[] = [
  {
    id: "person",
    title: t("components.recordTables.person"),
    fields: [name, required(email), pendingEmail, image, phone],
  },
  {
    id: "place",
    title: t("components.recordTables.placeOfWork"),
    fields: [
      { name: "branch", label: t("common.branch"), none: t("components.recordTables.noBranch") },
      country,
      city,
      index,
    ],
  },
  {
    id: "access",
    title: t("components.recordTables.access"),
    hint: t("components.recordTables.accessHint"),
    fields: [
      { name: "role", label: t("common.role"), hint: t("components.recordTables.roleHint") },
      {
        name: "staff",
        label: t("common.accessGroup"),
        isRequired: true,
        hint: t("components.recordTables.accessGroupHint"),
        none: t("common.choose"),
      },
      {
        name: "info",
        label: t("common.additionalInformation"),
        rows: 3,
        className: "col-span-full",
      },
    ],
  },
  {
    id: "sign-in",
    title: t("components.recordTables.signingIn"),
    fields: [
      {
        name: "password",
        label: t("common.password"),
        hint: passwordHint,
        type: "password",
        autoComplete: "new-password",
      },
      {
        name: "password_confirmation",
        label: t("common.confirmPassword"),
        type: "password",
        autoComplete: "new-password",
      },
      { name: "active", label: t("common.active"), options: yesOrNo, isReadOnly: true },
    ],
  },
];

export const branchSections: RecordSection[] = [
  {
    id: "branch",
    title: t("common.branch"),
    fields: [
      name,
      email,
      image,
      phone,
      { name: "manager", label: t("common.manager") },
      { name: "manager_id", label: t("common.manager"), none: t("components.recordTables.noManager") },
    ],
  },
  { id: "place", title: t("common.place"), fields: [required(country), required(city), index, address] },
];

const documentLanguages = [
  { value: "", label: t("components.recordTables.notGiven") },
  ...languages.map((language) => ({ value: language, label: staffNameOf(language) })),
];

export const companySections: RecordSection[] = [
  {
    id: "company",
    title: t("components.recordTables.company"),
    fields: [
      name,
      email,
      image,
      { ...phone, label: t("components.recordTables.phoneNumber") },
      {
        name: "organization_id",
        label: t("components.recordTables.organizationId"),
        hint: t("components.recordTables.organizationIdHint"),
      },
    ],
  },
  {
    id: "place",
    title: t("common.place"),
    fields: [
      country,
      city,
      index,
      address,
      { name: "active", label: t("common.active"), options: yesOrNo, isReadOnly: true },
      {
        name: "timezone",
        label: t("components.recordTables.timeZone"),
        hint: t("components.recordTables.timeZoneHint"),
      },
      {
        name: "language",
        label: t("components.recordTables.language"),
        hint: t("components.recordTables.languageHint"),
        options: documentLanguages,
      },
    ],
  },
];
