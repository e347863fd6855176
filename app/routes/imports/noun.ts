import { branchSections, userSections } from "../../components/record/record-tables.ts";

/** What a page imports, by its address. */
export const nounAt = (pathname: string) =>
  pathname.startsWith("/users/") ? { kind: "users" as const } : { kind: "branches" as const };

export type Noun = ReturnType<typeof nounAt>;

/** A field as its record's form calls it. */
export function fieldLabel({ kind }: Noun, name: string): string {
  const sections = kind === "users" ? userSections : branchSections;
  return sections.flatMap(({ fields }) => fields).find((field) => field.name === name)?.label ?? name;
}
