import { t } from "#lib/messages/staff.ts";
import type { FilterField } from "./filter-control.tsx";

/** A filter as an address has it: its values, their text (empty if it is not set), and what is wrong with them. */
export type FilterState = { field: FilterField; values: string[]; text: string; error: string | undefined };

/** Values of lists are keys, which are found in either case; an unknown one is an error, also where it filters nothing. */
export function filterState(
  field: FilterField,
  parameters: URLSearchParams,
  errors: Record<string, string> = {},
): FilterState {
  const { name, boxes, choices } = field;
  const values = parameters.getAll(name);
  if (boxes) {
    const all = Object.keys(boxes);
    const ticked = all.filter((value) => parameters.has(name, value));
    // An address that says nothing shows all.
    const isChosen = ticked.length > 0 || parameters.has(`${name}_chosen`);
    const text =
      isChosen && ticked.length < all.length
        ? ticked.map((value) => boxes[value]).join(", ") || t("components.filters.none")
        : "";
    return { field, values: isChosen ? ticked : all, text, error: undefined };
  }
  const [value = ""] = values;
  const options = choices?.flatMap((choice) =>
    typeof choice === "object" && "options" in choice ? choice.options : choice,
  );
  const asEntry = options?.map((option) => (typeof option === "string" ? { value: option, label: option } : option));
  const chosen = asEntry?.find((option) => option.value.toLowerCase() === value.toLowerCase());
  const unknown = asEntry && value && !chosen ? t("components.filters.notAChoice", { value }) : undefined;
  return {
    field,
    values: chosen ? [chosen.value] : values,
    text: chosen?.label ?? value,
    error: errors[name] ?? unknown,
  };
}
