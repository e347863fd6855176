import { t } from "#lib/messages/staff.ts";

export type Entries = [name: string, value: string][];

/** The button that was pressed, and what was filled in: the values of one name are one fact. */
export function factsOf({ fields, typed }: Record<"fields" | "typed", Entries>): [label: string, value: string][] {
  const pressed = fields.findLast(([name]) => name === "intent");
  const values = Map.groupBy(typed, ([name]) => labelOf(name));
  return [
    ...(pressed ? [[t("components.otherUser.button"), labelOf(pressed[1])] satisfies [string, string]] : []),
    ...[...values].map(([label, all]): [string, string] => [label, all.map(([, value]) => value).join(", ")]),
  ];
}

/** `custom_fields[0][name]` as “Custom fields 1 name”. */
export function labelOf(name: string): string {
  const words = name
    .replace(/[[\]._-]+/g, " ")
    .replace(/\b\d+\b/g, (n) => String(Number(n) + 1))
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
