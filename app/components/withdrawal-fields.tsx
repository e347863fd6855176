import { Field, type FieldState } from "./field.tsx";

type Reason = { id: number; name: string; public_text: string };
type WithdrawalFieldsProps = { field(name: string): FieldState; reasons: Reason[] };

/** Why documents are withdrawn: one of the company's reasons, if it has any, and a note. */
export const WithdrawalFields = ({ field, reasons }: WithdrawalFieldsProps) => (
  <>
    {reasons.length > 0 && (
      <Field
        field={field("reason")}
        label="Reason"
        hint="A scan says the text in quotation marks as well"
        isRequired
        options={reasons.map(({ id, name, public_text }) => ({
          value: String(id),
          label: public_text ? `${name}: “${public_text}”` : name,
        }))}
      />
    )}
    <Field field={field("note")} label="Note" hint="For your colleagues; visitors don’t see it" rows={3} />
  </>
);
