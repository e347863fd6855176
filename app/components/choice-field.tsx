import { Field, type FieldState } from "./field.tsx";

type ChoiceFieldProps = {
  field: FieldState;
  label: string;
  hint?: string;
  /** The label of the empty choice, if there may be none. */
  none?: string;
  /** Names to choose from; if the list is open, another can be typed. */
  from: { names: string[]; isOpen: boolean };
};

/** A select, or a text field with suggestions if the list is open. */
export function ChoiceField({ field, label, hint, none, from }: ChoiceFieldProps) {
  if (!from.isOpen) {
    const empty = none === undefined ? [] : [{ value: "", label: none }];
    const named = from.names.map((name) => ({ value: name, label: name }));
    return <Field field={field} label={label} hint={hint} options={[...empty, ...named]} />;
  }
  const list = `${field.id}-names`;
  return (
    <>
      <Field field={field} label={label} hint={hint} list={list} autoComplete="off" />
      <datalist id={list}>
        {from.names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
    </>
  );
}
