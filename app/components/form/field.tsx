import { CircleAlert } from "lucide-react";
import type { ComponentProps, ComponentType, ReactNode } from "react";
import { t } from "#lib/messages/staff.ts";
import { useRefusedFocus } from "../dialog/in-dialog.ts";
import { PasswordInput } from "./password-input.tsx";
import { WithCalendar } from "./with-calendar.tsx";

/** A text that is its own label, or a value with one. */
export type Option = string | { value: string; label: string };
export type OptionGroup = { label: string; options: Option[] };

/** A field's state for its control; Conform's field metadata fit as well. */
export type FieldState = {
  id: string;
  name: string;
  errors?: string[] | undefined;
  /** The typed or saved text. */
  initialValue?: unknown;
};

export type InputControl = ComponentType<ComponentProps<"input">>;

type FieldProps = {
  field: FieldState;
  label: string;
  hint?: ReactNode;
  className?: string;
  /** Makes it a list. */
  options?: (Option | OptionGroup)[];
  /** Makes it a box for several lines. */
  rows?: number;
  isRequired?: boolean | undefined;
  /** Puts the browser's calendar beside it. */
  isDate?: boolean | undefined;
  /** What a screen reader hears before the error. */
  errorMark?: string | undefined;
  /** In place of the one of its type. */
  Input?: InputControl;
  /** Called with what is chosen from `options`. */
  onChoose?: (value: string) => void;
} & Pick<
  ComponentProps<"input">,
  | "type"
  | "accept"
  | "autoComplete"
  | "autoFocus"
  | "spellCheck"
  | "inputMode"
  | "placeholder"
  | "list"
  | "maxLength"
  | "dir"
>;

/** A labelled control with its hint and error, tied together by ids for assistive technology. */
export function Field({
  field,
  label,
  hint,
  className = "",
  options,
  onChoose,
  rows,
  isRequired,
  isDate,
  errorMark,
  type = "text",
  Input = type === "password" ? PasswordInput : ("input" as unknown as InputControl),
  ...more
}: FieldProps) {
  const { id, name, errors, initialValue } = field;
  const error = errors?.[0];
  const isRefusedFirst = useRefusedFocus(error);
  const control = {
    id,
    name,
    autoFocus: more.autoFocus || isRefusedFirst,
    "aria-required": isRequired,
    "aria-invalid": error ? true : undefined,
    "aria-describedby": [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ") || undefined,
  };
  const value = typeof initialValue === "string" ? initialValue : undefined;
  const input = (
    <Input
      {...more}
      {...control}
      className={type === "file" ? "file-input" : "input"}
      // As an input of emails, browsers would refuse or rewrite some addresses.
      {...(type === "email" ? { type: "text", inputMode: "email", autoCapitalize: "none" } : { type })}
      defaultValue={type === "password" || type === "file" ? undefined : value}
    />
  );
  return (
    <div className={`field ${error ? "field-bad" : ""} ${className}`}>
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && <FieldError id={`${id}-error`} message={error} mark={errorMark} />}
      {options ? (
        <select
          {...control}
          className="select"
          defaultValue={value}
          onChange={(event) => onChoose?.(event.target.value)}
        >
          <Options options={withStored(options, value)} />
        </select>
      ) : rows ? (
        <textarea {...control} className="textarea" rows={rows} defaultValue={value} dir={more.dir} />
      ) : isDate ? (
        <WithCalendar>{input}</WithCalendar>
      ) : (
        input
      )}
    </div>
  );
}

/** A list's options and the stored value if it is none of them: else the first one would be saved without a choice. */
export function withStored(options: (Option | OptionGroup)[], value = ""): (Option | OptionGroup)[] {
  const all = options.flatMap((option) => (option as Parts).options ?? (option as Option));
  return all.some((option) => ((option as Parts).value ?? option) === value)
    ? options
    : [{ value, label: value ? t("components.field.notOnTheList", { value }) : t("common.choose") }, ...options];
}

/** The options of a list or a datalist. */
export const Options = ({ options }: { options: (Option | OptionGroup)[] }) =>
  options.map((option) => {
    // A text has none of these.
    const { options: nested, label = option as string, value = label } = option as Parts;
    return nested ? (
      <optgroup key={label} label={label}>
        <Options options={nested} />
      </optgroup>
    ) : (
      <option key={value} value={value}>
        {label}
      </option>
    );
  });

type Parts = { options?: Option[]; label?: string; value?: string };

type FieldErrorProps = { id?: string; message: string; mark?: string | undefined };

/** A field's error; its control refers to it by `id`. */
export function FieldError({ id, message, mark = t("components.field.error") }: FieldErrorProps) {
  return (
    <p className="field-error" id={id}>
      <CircleAlert className="ico" />
      <span>
        <span className="sr-only">{mark} </span>
        {message}
      </span>
    </p>
  );
}
