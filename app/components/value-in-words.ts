import type { Choices, RecordField } from "./record-fields.ts";

/** A field's value in words: what was chosen, `Yes` for a ticked box, any other value as it is. */
export function valueInWords({ type, options = [], inWords }: RecordField, value: string, choices?: Choices) {
  if (type === "checkbox") return value === "1" ? "Yes" : "No";
  const all = [...options, ...(choices?.options ?? [])].flatMap((option) =>
    "options" in option ? option.options : [option],
  );
  return all.find((option) => option.value === value)?.label ?? inWords?.(value) ?? value;
}
