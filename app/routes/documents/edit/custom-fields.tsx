import type { SubmissionResult } from "@conform-to/react";
import { Plus, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { t, tRich } from "#lib/messages/staff.ts";
import type { Values } from "../../../components/form/form-state.ts";
import { Field, type FieldState } from "../../../components/form/field.tsx";
import { hidden } from "../../../components/text/message-elements.tsx";
import { useHydrated } from "remix-utils/use-hydrated";

/** How many custom fields a form shows: those that were typed, or the saved ones if the form had none. */
export function customFieldCount(saved: Values, reply: SubmissionResult | undefined) {
  const fieldsInReply = reply?.fields ?? [];
  const names = fieldsInReply.includes("has_custom_fields") ? fieldsInReply : Object.keys(saved);
  return names.filter((name) => /^custom_fields.+name$/.test(name)).length;
}

type FieldOf = (name: string) => FieldState;

type CustomFieldsProps = { count: number; field: FieldOf; suggestions: string[] };

/** The author's own properties, and two boxes for one more. */
export function CustomFields({ count, field, suggestions }: CustomFieldsProps) {
  const names = Array.from({ length: count }, (_, index) => `custom_fields[${index}]`);
  return (
    <>
      <input type="hidden" name="has_custom_fields" value="1" />
      {names.map((name, index) => {
        const [nameField, valueField] = [field(`${name}.name`), field(`${name}.value`)];
        return (
          <div className="custom-field" key={`${index} ${nameField.initialValue}`}>
            <Field field={nameField} label={t("common.name")} list="suggested" />
            <Field field={valueField} label={t("documents.customFields.value")} />
            <button
              type="submit"
              className="btn btn-quiet"
              name="intent"
              value={`remove-${index}`}
              data-focus-next="added_field.name"
            >
              <Trash2 className="ico" />
              <span>
                {tRich("documents.customFields.removeField", {
                  name: String(nameField.initialValue),
                  hidden,
                })}
              </span>
            </button>
          </div>
        );
      })}
      <AddedField key={count} field={field} />
      <datalist id="suggested">
        {suggestions.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
    </>
  );
}

/** “Add field” is disabled while a box is empty; without scripts the server says which one. */
function AddedField({ field }: { field: FieldOf }) {
  const [name, value] = [field("added_field.name"), field("added_field.value")];
  const row = useRef<HTMLDivElement>(null);
  const isHydrated = useHydrated();
  const [isComplete, setComplete] = useState(Boolean(name.initialValue && value.initialValue));
  useEffect(() => check(row.current!, setComplete), []);
  return (
    <div className="custom-field" ref={row} onInput={() => check(row.current!, setComplete)}>
      <Field field={name} label={t("documents.customFields.nameOfNewField")} list="suggested" />
      <Field field={value} label={t("documents.customFields.valueOfNewField")} />
      <button
        type="submit"
        className="btn btn-quiet"
        name="intent"
        value="add"
        data-focus-next="added_field.name"
        disabled={isHydrated && !isComplete}
      >
        <Plus className="ico" />
        {t("documents.customFields.addField")}
      </button>
    </div>
  );
}

function check(row: HTMLElement, report: (isComplete: boolean) => void) {
  report([...row.querySelectorAll("input")].every((input) => input.value.trim() !== ""));
}
