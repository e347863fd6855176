import { systemFields } from "../../components/document-fields.ts";
import type { FieldState } from "../../components/field.tsx";
import { RecordFields } from "../../components/record-sections.tsx";

/** What the provider offers to choose from. */
type SystemFieldOptions = {
  access_types: string[];
  groups: string[];
  owners: { name: string; email: string }[];
  /** The next free number; empty if the provider proposes none. */
  number: string;
  /** Whether other groups than those can be typed. */
  isOpen: boolean;
};

type SystemFieldsProps = {
  field(name: string): FieldState;
  options: SystemFieldOptions;
  /** An issued document's number stays as it is. */
  hasNumber: boolean;
};

/** The fields that every document has, in the wizard and on the edit page. */
export function SystemFields({ field, options, hasNumber }: SystemFieldsProps) {
  const numberHint = options.number ? "This one is free. You can type another." : "Empty: the provider chooses one.";
  return (
    <>
      <RecordFields
        fields={systemFields.filter(({ name }) => hasNumber || name !== "number")}
        field={field}
        choices={{
          email: { options: options.owners.map(({ name, email }) => ({ value: email, label: name })), isOpen: true },
          users_access_group: { options: options.groups, isOpen: options.isOpen },
          access_type: { options: options.access_types },
        }}
        hints={{ number: field("number").errors ? undefined : numberHint }}
      />
      {/* An unticked box is not sent: this says that the form has one. */}
      <input type="hidden" name="has_prolongation" value="1" />
    </>
  );
}
