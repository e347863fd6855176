import type { ReactNode } from "react";
import { useRefusedFocus } from "../dialog/in-dialog.ts";
import { FieldError, type FieldState } from "./field.tsx";

type ChoiceGroupProps = {
  field: Pick<FieldState, "id" | "name" | "errors">;
  legend: string;
  hint?: string;
  /** Radio buttons (one choice) or check boxes. */
  type: "radio" | "checkbox";
  options: { value: string; label: ReactNode }[];
  chosen: readonly unknown[];
  /** Whether its dialog puts the focus there when it opens. */
  isFirst?: boolean;
};

const looks = { radio: "radio radio-primary", checkbox: "checkbox checkbox-primary" };

/** Radio buttons or check boxes of one field, with its hint and error. */
export function ChoiceGroup({ field, legend, hint, type, options, chosen, isFirst = false }: ChoiceGroupProps) {
  const { id, name, errors } = field;
  const error = errors?.[0];
  const hasFocus = useRefusedFocus(error);
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <fieldset className={`field ${error ? "field-bad" : ""}`} aria-describedby={describedBy || undefined}>
      <legend>{legend}</legend>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && <FieldError id={`${id}-error`} message={error} />}
      {options.map(({ value, label }, n) => (
        <label key={value} className="choice">
          <input
            className={looks[type]}
            type={type}
            // The summary of errors leads to the first one.
            id={n === 0 ? id : undefined}
            data-first={n === 0 && isFirst ? "" : undefined}
            name={name}
            value={value}
            defaultChecked={chosen.includes(value)}
            autoFocus={n === 0 && hasFocus}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
