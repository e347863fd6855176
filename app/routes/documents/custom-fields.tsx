import { Plus, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Field } from "../../components/field.tsx";
import { useHydrated } from "remix-utils/use-hydrated";
import type { Errors } from "./typed.ts";

type CustomField = { name: string; value: string };

type CustomFieldsProps = { fields: CustomField[]; added: CustomField; errors: Errors; suggestions: string[] };

/** The properties that the author adds: those there are, and a pair of boxes for one more. */
export function CustomFields({ fields, added, errors, suggestions }: CustomFieldsProps) {
  const fieldOf = (name: string, initialValue: string) => ({ id: name, name, initialValue, errors: errors[name] });
  return (
    <>
      <input type="hidden" name="has_custom_fields" value="1" />
      {fields.map(({ name, value }, index) => (
        <div className="custom-field" key={`${index} ${name}`}>
          <Field field={fieldOf(`custom_fields[${index}][name]`, name)} label="Name" list="suggested" />
          <Field field={fieldOf(`custom_fields[${index}][value]`, value)} label="Value" />
          <button
            type="submit"
            className="btn btn-quiet"
            name="go"
            value={`remove-${index}`}
            data-focus-next="added_field[name]"
          >
            <Trash2 className="ico" />
            <span>
              Remove<span className="sr-only"> {name}</span>
            </span>
          </button>
        </div>
      ))}
      <AddedField key={fields.length} added={added} fieldOf={fieldOf} />
      <datalist id="suggested">
        {suggestions.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
    </>
  );
}

type AddedFieldProps = {
  added: CustomField;
  fieldOf(name: string, initialValue: string): { id: string; name: string; errors: string[] | undefined };
};

/** “Add field” is off while a box is empty; without scripts the server says which one. */
function AddedField({ added, fieldOf }: AddedFieldProps) {
  const row = useRef<HTMLDivElement>(null);
  const isHydrated = useHydrated();
  const [isComplete, setComplete] = useState(Boolean(added.name && added.value));
  useEffect(() => check(row.current!, setComplete), []);
  return (
    <div className="custom-field" ref={row} onInput={() => check(row.current!, setComplete)}>
      <Field field={fieldOf("added_field[name]", added.name)} label="Name of the new field" list="suggested" />
      <Field field={fieldOf("added_field[value]", added.value)} label="Value of the new field" />
      <button
        type="submit"
        className="btn btn-quiet"
        name="go"
        value="add"
        data-focus-next="added_field[name]"
        disabled={isHydrated && !isComplete}
      >
        <Plus className="ico" />
        Add field
      </button>
    </div>
  );
}

function check(row: HTMLElement, report: (isComplete: boolean) => void) {
  report([...row.querySelectorAll("input")].every((input) => input.value.trim() !== ""));
}
