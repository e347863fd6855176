import { useRefusedFocus } from "../dialog/in-dialog.ts";
import { FieldError, type FieldState } from "./field.tsx";

type CheckboxFieldProps = { field: FieldState; label: string; hint?: string; className?: string };

/** A box to tick, with its label beside it. */
export function CheckboxField({ field, label, hint, className = "" }: CheckboxFieldProps) {
  const { id, name, initialValue, errors } = field;
  const error = errors?.[0];
  const hasFocus = useRefusedFocus(error);
  return (
    <div className={`field ${error ? "field-bad" : ""} ${className}`}>
      <label className="choice">
        <input
          className="checkbox checkbox-primary"
          type="checkbox"
          id={id}
          name={name}
          value="1"
          defaultChecked={["1", "on", "true"].includes(String(initialValue))}
          autoFocus={hasFocus}
          aria-invalid={error ? true : undefined}
          aria-describedby={[error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ") || undefined}
        />
        {label}
      </label>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && <FieldError id={`${id}-error`} message={error} />}
    </div>
  );
}
