import { CircleAlert } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";

export type Option = { value: string; label: string };
export type OptionGroup = { label: string; options: Option[] };

/** What a control needs to know of its field; conform's field metadata have it, too. */
export type FieldState = {
  id: string;
  name: string;
  errors?: string[] | undefined;
  /** What was typed or kept, in the words of the form. */
  initialValue?: unknown;
};

type FieldProps = {
  field: FieldState;
  label: string;
  hint?: ReactNode;
  className?: string;
  /** Makes it a list to choose from. */
  options?: (Option | OptionGroup)[];
  /** Makes it a box for several lines. */
  rows?: number;
  /** Hears what is chosen from `options`. */
  onChoose?: (value: string) => void;
} & Pick<
  ComponentProps<"input">,
  "type" | "autoComplete" | "spellCheck" | "inputMode" | "placeholder" | "list" | "maxLength"
>;

/** A labelled control with its hint and error. Owns the ids that tie them together for assistive technology. */
export function Field({
  field,
  label,
  hint,
  className = "",
  options,
  onChoose,
  rows,
  type = "text",
  ...more
}: FieldProps) {
  const { id, name, errors, initialValue } = field;
  const error = errors?.[0];
  const control = {
    id,
    name,
    "aria-invalid": error ? true : undefined,
    "aria-describedby": [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ") || undefined,
  };
  const value = typeof initialValue === "string" ? initialValue : undefined;
  return (
    <div className={`field ${error ? "field-bad" : ""} ${className}`}>
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && <FieldError id={`${id}-error`} message={error} />}
      {options ? (
        <select
          {...control}
          className="select"
          defaultValue={value}
          onChange={(event) => onChoose?.(event.target.value)}
        >
          {options.map((option) =>
            "options" in option ? (
              <optgroup key={option.label} label={option.label}>
                <Options options={option.options} />
              </optgroup>
            ) : (
              <Options key={option.value} options={[option]} />
            ),
          )}
        </select>
      ) : rows ? (
        <textarea {...control} className="textarea" rows={rows} defaultValue={value} />
      ) : (
        <input
          {...control}
          {...more}
          className="input"
          type={type}
          defaultValue={type === "password" ? undefined : value}
        />
      )}
    </div>
  );
}

/** Names as options. */
export const asOptions = (names: readonly string[]): Option[] => names.map((name) => ({ value: name, label: name }));

const Options = ({ options }: { options: Option[] }) =>
  options.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));

/** Why a field was refused, tied to its control by `id`. */
export function FieldError({ id, message }: { id?: string; message: string }) {
  return (
    <p className="field-error" id={id}>
      <CircleAlert className="ico" />
      <span>
        <span className="sr-only">Error: </span>
        {message}
      </span>
    </p>
  );
}
