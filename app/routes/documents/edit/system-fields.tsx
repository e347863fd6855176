import type { ReactNode } from "react";
import { systemFields } from "../../../components/record/document-fields.ts";
import type { FieldState } from "../../../components/form/field.tsx";
import { RecordFields } from "../../../components/record/record-sections.tsx";
import type { SystemChoices } from "./system-choices.server.ts";

type SystemFieldsProps = {
  className?: string;
  field(name: string): FieldState;
  choices: SystemChoices;
  /** By field, behind its hint. */
  offers?: Record<string, ReactNode>;
  /** An issued document's number stays as it is. */
  hasNumber: boolean;
};

/** The fields that every document has, in the wizard and on the edit page. */
export const SystemFields = ({ className = "", field, choices, offers = {}, hasNumber }: SystemFieldsProps) => (
  <div
    className={`form-grid ${className}`}
    // Typing an expire date chooses “On a date”, and so does Prolongation, which needs one.
    onInput={({ target, currentTarget }) => {
      const { name, value, checked } = target as HTMLInputElement;
      if ((name === "expire_date" && value) || (name === "prolongation" && checked)) {
        currentTarget.querySelector<HTMLSelectElement>("[name=expire_type]")!.value = "date";
      }
    }}
  >
    <RecordFields
      fields={systemFields.filter(({ name }) => hasNumber || name !== "number")}
      field={field}
      choices={{
        email: { options: choices.owners, isOpen: true },
        users_access_group: { options: choices.groups, isOpen: choices.isOpen },
        access_type: { options: choices.access_types },
      }}
      hints={choices.hints}
      offers={offers}
    />
    {/* An unticked box is not sent: this says that the form has one. */}
    <input type="hidden" name="has_prolongation" value="1" />
  </div>
);
