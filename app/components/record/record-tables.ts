import { staffNameOf } from "#lib/messages/language-names.ts";
import { languages } from "#lib/messages/languages.ts";
import { say } from "#lib/messages/staff.ts";
import { passwordHint, type RecordField, type RecordSection } from "./record-fields.ts";

/** The fields of users, branches and the company. */

const name: RecordField = {
  name: "name",
  label: say("common.name"),
  isRequired: true,
  maxLength: 100,
  autoComplete: "name",
};
const email: RecordField = {
  name: "email",
  label: say("common.email"),
  type: "email",
  autoComplete: "email",
  spellCheck: false,
};
const phone: RecordField = { name: "phone", label: say("common.phone"), type: "tel", autoComplete: "tel" };
const image: RecordField = { name: "image", label: say("components.imageField.image"), type: "image" };
const country: RecordField = { name: "country", label: say("common.country"), autoComplete: "country-name" };
const city: RecordField = { name: "city", label: say("common.city"), autoComplete: "address-level2" };
const index: RecordField = { name: "index", label: say("common.index"), autoComplete: "postal-code" };
const address: RecordField = { name: "address", label: say("common.address"), autoComplete: "address-line1" };
const pendingEmail: RecordField = {
  name: "pending_email",
  label: say("components.recordTables.emailToBeConfirmed"),
  isReadOnly: true,
};

/** Users have both; branches and the company may lack an email, and the company a place. */
const required = (field: RecordField): RecordField => ({ ...field, isRequired: true });

const yesOrNo = [
  { value: "1", label: say("common.yes") },
  { value: "0", label: say("common.no") },
];

export const profileSections: RecordSection[] = [
  {
    id: "person",
    title: say("components.recordTables.person"),
    hint: say("components.recordTables.ownEmailHint"),
    fields: [name, required(email), image, phone],
  },
  { id: "place", title: say("common.place"), fields: [country, city, index, address] },
];

export const userSections: RecordSection[] = [
  {
    id: "person",
    title: say("components.recordTables.person"),
    fields: [name, required(email), pendingEmail, image, phone],
  },
  {
    id: "place",
    title: say("components.recordTables.placeOfWork"),
    fields: [
      { name: "branch", label: say("common.branch"), none: say("components.recordTables.noBranch") },
      country,
      city,
      index,
    ],
  },
  {
    id: "access",
    title: say("components.recordTables.access"),
    hint: say("components.recordTables.accessHint"),
    fields: [
      { name: "role", label: say("common.role"), hint: say("components.recordTables.roleHint") },
      {
        name: "staff",
        label: say("common.accessGroup"),
        isRequired: true,
        hint: say("components.recordTables.accessGroupHint"),
        none: say("common.choose"),
      },
      {
        name: "info",
        label: say("common.additionalInformation"),
        rows: 3,
        className: "col-span-full",
      },
    ],
  },
  {
    id: "sign-in",
    title: say("components.recordTables.signingIn"),
    fields: [
      {
        name: "password",
        label: say("common.password"),
        hint: passwordHint,
        type: "password",
        autoComplete: "new-password",
      },
      {
        name: "password_confirmation",
        label: say("common.confirmPassword"),
        type: "password",
        autoComplete: "new-password",
      },
      { name: "active", label: say("common.active"), options: yesOrNo, isReadOnly: true },
    ],
  },
];

export const branchSections: RecordSection[] = [
  {
    id: "branch",
    title: say("common.branch"),
    fields: [
      name,
      email,
      image,
      phone,
      { name: "manager", label: say("common.manager") },
      { name: "manager_id", label: say("common.manager"), none: say("components.recordTables.noManager") },
    ],
  },
  { id: "place", title: say("common.place"), fields: [required(country), required(city), index, address] },
];

const documentLanguages = [
  { value: "", label: say("components.recordTables.notGiven") },
  ...languages.map((language) => ({ value: language, label: staffNameOf(language) })),
];

export const companySections: RecordSection[] = [
  {
    id: "company",
    title: say("components.recordTables.company"),
    fields: [name, email, image, { ...phone, label: say("components.recordTables.phoneNumber") }],
  },
  {
    id: "place",
    title: say("common.place"),
    fields: [
      country,
      city,
      index,
      address,
      { name: "active", label: say("common.active"), options: yesOrNo, isReadOnly: true },
      {
        name: "timezone",
        label: say("components.recordTables.timeZone"),
        hint: say("components.recordTables.timeZoneHint"),
      },
      {
        name: "language",
        label: say("components.recordTables.language"),
        hint: say("components.recordTables.languageHint"),
        options: documentLanguages,
      },
    ],
  },
];
