import { Field, type FieldState } from "./field.tsx";

type ChoiceFieldProps = {
  field: FieldState;
  label: string;
  hint?: string;
  /** Stands for no choice, where there may be none. */
  none?: string;
  /** Names to choose from; where they are not all, another can be typed. */
  from: { names: string[]; isOpen: boolean };
};

/** A name from a list, or where the list is not all, a box to type it in. */
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
