import { t } from "#lib/messages/staff.ts";
import { Field, type Option, type OptionGroup } from "../form/field.tsx";

export type FilterField<Name extends string = string> = {
  name: Name;
  label: string;
  /** Makes it a list; the first choice is for all. */
  all?: string;
  choices?: (Option | OptionGroup)[];
  /** Makes it a date; a text is the order in which the list shows dates. */
  isDate?: boolean | "YYYY-MM-DD";
  /** Makes it boxes to tick, each with its label. */
  boxes?: Record<string, string>;
  /** Keeps a rarer one out of the line. */
  isFolded?: boolean;
};

type FilterControlProps = { field: FilterField; values: string[]; error: string | undefined };

/** A filter as a text, a list to choose from or boxes to tick. */
export function FilterControl({
  field: { name, label, all = "", choices, isDate, boxes },
  values,
  error,
}: FilterControlProps) {
  if (boxes) return <FilterBoxes name={name} label={label} boxes={boxes} values={values} />;
  const field = { id: `f-${name}`, name, errors: error ? [error] : undefined, initialValue: values[0] ?? "" };
  if (choices) {
    return <Field field={field} label={label} options={[{ value: "", label: all }, ...choices]} />;
  }
  const asDate = {
    inputMode: "numeric",
    autoComplete: "off",
    placeholder: isDate === "YYYY-MM-DD" ? isDate : t("common.dayMonthYear"),
  } as const;
  return <Field field={field} label={label} isDate={Boolean(isDate)} {...(isDate && asDate)} />;
}

type FilterBoxesProps = { name: string; label: string; boxes: Record<string, string>; values: string[] };

const FilterBoxes = ({ name, label, boxes, values }: FilterBoxesProps) => (
  <fieldset className="field">
    <legend>{label}</legend>
    {/* Tells a form without ticks from an address that says nothing (`filters.tsx`). */}
    <input type="hidden" name={`${name}_chosen`} value="1" />
    <div className="flex min-h-10 flex-wrap items-center gap-x-4">
      {Object.entries(boxes).map(([value, label]) => (
        <label key={value} className="choice">
          <input
            className="checkbox checkbox-primary"
            type="checkbox"
            name={name}
            value={value}
            defaultChecked={values.includes(value)}
          />
          {label}
        </label>
      ))}
    </div>
  </fieldset>
);
