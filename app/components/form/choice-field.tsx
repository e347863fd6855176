import type { ComponentProps } from "react";
import { Field, Options } from "./field.tsx";
import type { Choices } from "../record/record-fields.ts";

type ChoiceFieldProps = Omit<ComponentProps<typeof Field>, "options"> & {
  /** The option for no choice, if none is allowed. */
  none?: string | undefined;
  from: Choices;
};

/** A list to choose from; if the list is not complete, a box that proposes what is on it. */
export function ChoiceField({ none, from: { options, isOpen }, ...props }: ChoiceFieldProps) {
  if (!isOpen) {
    return <Field {...props} options={none === undefined ? options : [{ value: "", label: none }, ...options]} />;
  }
  const list = `${props.field.id}-choices`;
  return (
    <>
      <Field {...props} list={list} />
      <datalist id={list}>
        <Options options={options} />
      </datalist>
    </>
  );
}
