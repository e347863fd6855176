import { Field, type FieldState } from "../../../components/field.tsx";

/** How many numbered copies are issued. */
export const CopiesField = ({ field, max }: { field: FieldState; max: number }) => (
  <Field
    className="mt-5 border-t border-base-300 pt-4"
    field={field}
    label="Copies"
    hint={`From 1 to ${max}. Each has a number and a code of its own, and can be withdrawn alone.`}
    inputMode="numeric"
    autoComplete="off"
  />
);
