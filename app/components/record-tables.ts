import { englishNameOf, languages } from "#messages/languages.ts";
import { passwordHint, type RecordField, type RecordSection } from "./record-fields.ts";

/** The fields of users, branches and the company. */

const name: RecordField = { name: "name", label: "Name", isRequired: true, maxLength: 100, autoComplete: "name" };
const email: RecordField = { name: "email", label: "Email", type: "email", autoComplete: "email", spellCheck: false };
const phone: RecordField = { name: "phone", label: "Phone", type: "tel", autoComplete: "tel" };
const image: RecordField = { name: "image", label: "Image", type: "image" };
const country: RecordField = { name: "country", label: "Country", autoComplete: "country-name" };
const city: RecordField = { name: "city", label: "City", autoComplete: "address-level2" };
const index: RecordField = { name: "index", label: "Index", autoComplete: "postal-code" };
const address: RecordField = { name: "address", label: "Address", autoComplete: "address-line1" };
const pendingEmail: RecordField = { name: "pending_email", label: "Email to be confirmed", isReadOnly: true };

/** Users have both; branches and the company may lack an email, and the company a place. */
const required = (field: RecordField): RecordField => ({ ...field, isRequired: true });

const yesOrNo = [
  { value: "1", label: "Yes" },
  { value: "0", label: "No" },
];

export const profileSections: RecordSection[] = [
  {
    id: "person",
    title: "Person",
    hint: "You sign in with your email. A new one waits until you confirm it from your mail.",
    fields: [name, required(email), image, phone],
  },
  { id: "place", title: "Place", fields: [country, city, index, address] },
];

export const userSections: RecordSection[] = [
  { id: "person", title: "Person", fields: [name, required(email), pendingEmail, image, phone] },
  {
    id: "place",
    title: "Place of work",
    fields: [{ name: "branch", label: "Branch", none: "No branch" }, country, city, index],
  },
  {
    id: "access",
    title: "Access",
    hint: "What the user can see and change.",
    fields: [
      { name: "role", label: "Role", hint: "The job title; it gives no rights" },
      { name: "staff", label: "Access group", isRequired: true, hint: "This gives the rights", none: "Choose …" },
      { name: "info", label: "Additional information", rows: 3, className: "col-span-full" },
    ],
  },
  {
    id: "sign-in",
    title: "Signing in",
    fields: [
      {
        name: "password",
        label: "Password",
        hint: passwordHint,
        type: "password",
        autoComplete: "new-password",
      },
      { name: "password_confirmation", label: "Confirm password", type: "password", autoComplete: "new-password" },
      { name: "active", label: "Active", options: yesOrNo, isReadOnly: true },
    ],
  },
];

export const branchSections: RecordSection[] = [
  {
    id: "branch",
    title: "Branch",
    fields: [
      name,
      email,
      image,
      phone,
      { name: "manager", label: "Manager" },
      { name: "manager_id", label: "Manager", none: "No manager" },
    ],
  },
  { id: "place", title: "Place", fields: [required(country), required(city), index, address] },
];

const documentLanguages = [
  { value: "", label: "Not given" },
  ...languages.map((language) => ({ value: language, label: englishNameOf(language) })),
];

export const companySections: RecordSection[] = [
  { id: "company", title: "Company", fields: [name, email, image, { ...phone, label: "Phone number" }] },
  {
    id: "place",
    title: "Place",
    fields: [
      country,
      city,
      index,
      address,
      { name: "active", label: "Active", options: yesOrNo, isReadOnly: true },
      { name: "timezone", label: "Time zone", hint: "Dates and times are shown in it" },
      {
        name: "language",
        label: "Language",
        hint: "Of your documents; new users are invited in it",
        options: documentLanguages,
      },
    ],
  },
];
