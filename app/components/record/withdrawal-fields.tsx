import { t } from "#lib/messages/staff.ts";
import { Field, type FieldState } from "../form/field.tsx";

type Reason = { id: number; name: string; public_text: string };
type WithdrawalFieldsProps = { field(name: string): FieldState; reasons: Reason[] };

/** Why documents are withdrawn: one of the company's reasons, if it has any, and a note. */
export const WithdrawalFields = ({ field, reasons }: WithdrawalFieldsProps) => (
  <>
    {reasons.length > 0 && (
      <Field
        field={field("reason")}
        label={t("common.reason")}
        hint={t("components.withdrawalFields.reasonHint")}
        isRequired
        options={reasons.map(({ id, name, public_text }) => ({
          value: String(id),
          label: public_text ? t("components.withdrawalFields.reasonWithText", { name, text: public_text }) : name,
        }))}
      />
    )}
    <Field field={field("note")} label={t("common.note")} hint={t("common.noteHint")} rows={3} />
  </>
);
