import { t } from "#lib/messages/staff.ts";
import type { Option, OptionGroup } from "../form/field.tsx";

export const passwordHint = t("components.recordFields.passwordHint");

/**
 * A record's field. One line in a table gives it its control on the form, its label and value among the record's facts
 * and in the notice of a conflict, and its label in the history.
 */
export type RecordField = {
  name: string;
  label: string;
  hint?: string;
  type?: "email" | "tel" | "password" | "checkbox" | "image";
  /** The token (WCAG 1.3.5) if users type their own data. */
  autoComplete?: string;
  spellCheck?: false;
  maxLength?: number;
  inputMode?: "numeric" | "decimal";
  placeholder?: string;
  isRequired?: true;
  isDate?: true;
  /** Of a box for several lines. */
  rows?: number;
  /** What to choose from, if that is the same for everyone. */
  options?: Option[];
  /** The option for no choice. */
  none?: string;
  className?: string;
  /** Shown, never typed; not shown while empty. */
  isReadOnly?: true;
  /** A value in words; as it is if not set. */
  inWords?: (value: string) => string;
};

export type RecordSection = { id: string; title: string; hint?: string; fields: RecordField[] };

/** A field's choices; if `isOpen`, other values can be typed. */
export type Choices = { options: (Option | OptionGroup)[]; isOpen?: boolean };

/** The sections without some of their fields. */
export const without = (sections: RecordSection[], names: string[]): RecordSection[] =>
  sections.map((section) => ({ ...section, fields: section.fields.filter(({ name }) => !names.includes(name)) }));

export const fieldsOf = (sections: RecordSection[]) => sections.flatMap(({ fields }) => fields);

/** A record as its form holds it: every field as text, yes and no as `1` and `0`. */
export const formValues = (record: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      typeof value === "boolean" ? (value ? "1" : "0") : String(value ?? ""),
    ]),
  );

/** A field's value in words: what was chosen, `Yes` for a ticked box, any other value as it is. */
export function valueInWords({ type, options = [], inWords }: RecordField, value: string, choices?: Choices): string {
  if (type === "checkbox") return value === "1" ? t("common.yes") : t("common.no");
  const all = [...options, ...(choices?.options ?? [])].flatMap((option) =>
    typeof option === "object" && "options" in option ? option.options : [option],
  );
  const choice = all.find((option) => typeof option === "object" && option.value === value);
  return typeof choice === "object" ? choice.label : (inWords?.(value) ?? value);
}
