import { say } from "#lib/messages/staff.ts";
import { Field, type FieldState } from "../form/field.tsx";

type Reason = { id: number; name: string; public_text: string };
type WithdrawalFieldsProps = { field(name: string): FieldState; reasons: Reason[] };

/** Why documents are withdrawn: one of the company's reasons, if it has any, and a note. */
export const WithdrawalFields = ({ field, reasons }: WithdrawalFieldsProps) => (
  <>
    {reasons.length > 0 && (
      <Field
        field={field("reason")}
        label={say("common.reason")}
        hint={say("components.withdrawalFields.reasonHint")}
        isRequired
        options={reasons.map(({ id, name, public_text }) => ({
          value: String(id),
          label: public_text ? say("components.withdrawalFields.reasonWithText", { name, text: public_text }) : name,
        }))}
      />
    )}
    <Field field={field("note")} label={say("common.note")} hint={say("common.noteHint")} rows={3} />
  </>
);
