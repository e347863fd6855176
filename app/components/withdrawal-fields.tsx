import { Field, type FieldState, type Option } from "./field.tsx";

type WithdrawalFieldsProps = { field(name: string): FieldState; reasons: Option[] };

/** Why documents are withdrawn: one of the company's reasons, if it has any, and a note. */
export const WithdrawalFields = ({ field, reasons }: WithdrawalFieldsProps) => (
  <>
    {reasons.length > 0 && (
      <Field
        field={field("reason")}
        label="Reason"
        hint="A scan says the text in quotation marks as well"
        isRequired
        options={reasons}
      />
    )}
    <Field field={field("note")} label="Note" hint="For your colleagues; visitors don’t see it" rows={3} />
  </>
);
