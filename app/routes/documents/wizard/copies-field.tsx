import { t } from "#lib/messages/staff.ts";
import { Field, type FieldState } from "../../../components/form/field.tsx";

/** How many numbered copies are issued. */
export const CopiesField = ({ field, max }: { field: FieldState; max: number }) => (
  <Field
    className="mt-5 border-t border-t-base-300 pt-4"
    field={field}
    label={t("common.copies")}
    hint={t("documents.wizard.copiesField.hint", { max })}
    inputMode="numeric"
    autoComplete="off"
  />
);
