import { type FormEvent, useState } from "react";
import { systemFields } from "../../components/document-fields.ts";
import type { FieldState } from "../../components/field.tsx";
import { RecordFields } from "../../components/record-sections.tsx";

/** `branch` is empty for an owner without one, and undefined if the provider does not say. */
type Owner = { name: string; email: string; branch?: string | undefined };

/** What the provider offers to choose from. */
type SystemFieldOptions = {
  access_types: string[];
  groups: string[];
  owners: Owner[];
  /** The next free number; empty if the provider proposes none. */
  number: string;
  /** Whether other groups than those can be typed. */
  isOpen: boolean;
};

type SystemFieldsProps = {
  className?: string;
  field(name: string): FieldState;
  options: SystemFieldOptions;
  /** An issued document's number stays as it is. */
  hasNumber: boolean;
};

/** The fields that every document has, in the wizard and on the edit page. */
export function SystemFields({ className = "", field, options, hasNumber }: SystemFieldsProps) {
  const [email, setEmail] = useState(String(field("email").initialValue ?? ""));
  return (
    <div
      className={`form-grid ${className}`}
      onInput={(event) => {
        const { name, value } = event.target as HTMLInputElement;
        if (name === "email") setEmail(value);
        if (name === "expire_date" && value.trim()) chooseDate(event);
      }}
    >
      <RecordFields
        fields={systemFields.filter(({ name }) => hasNumber || name !== "number")}
        field={field}
        choices={{
          email: { options: options.owners.map(({ name, email }) => ({ value: email, label: name })), isOpen: true },
          users_access_group: { options: options.groups, isOpen: options.isOpen },
          access_type: { options: options.access_types },
        }}
        hints={{ number: numberHint(field("number"), options.number), email: ownerHint(options.owners, email) }}
      />
      {/* An unticked box is not sent: this says that the form has one. */}
      <input type="hidden" name="has_prolongation" value="1" />
    </div>
  );
}

/** Whoever types an expire date means it. */
function chooseDate({ currentTarget }: FormEvent<HTMLElement>) {
  currentTarget.querySelector<HTMLSelectElement>("[name=expire_type]")!.value = "date";
}

/** Names the free number, so that it stays true while another is typed. */
function numberHint({ initialValue, errors }: FieldState, free: string) {
  if (!free) return "Empty: the provider chooses one.";
  if (errors) return `${free} is free.`;
  return initialValue === free ? `${free} is free. You can type another.` : undefined;
}

/** Names the owner, so that it stays true while another is typed and no script is there to change it. */
function ownerHint(owners: Owner[], typed: string) {
  const owner = owners.find(({ email }) => email.toLowerCase() === typed.trim().toLowerCase());
  if (owner?.branch === undefined) return "The document’s owner";
  return `The document’s owner. With ${owner.name} it belongs to ${owner.branch || "no branch"}.`;
}
