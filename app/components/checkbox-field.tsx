import type { FieldState } from "./field.tsx";

type CheckboxFieldProps = { field: FieldState; label: string; hint?: string; className?: string };

/** A box to tick, with its label beside it. */
export function CheckboxField({ field, label, hint, className = "" }: CheckboxFieldProps) {
  const { id, name, initialValue } = field;
  return (
    <div className={`field ${className}`}>
      <label className="choice">
        <input
          className="checkbox checkbox-primary"
          type="checkbox"
          id={id}
          name={name}
          value="1"
          defaultChecked={["1", "on", "true"].includes(String(initialValue))}
          aria-describedby={hint ? `${id}-hint` : undefined}
        />
        {label}
      </label>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
