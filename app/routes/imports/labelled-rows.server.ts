import type { ImportRow } from "#provider/contract/imports.ts";
import { branchSections, userSections } from "../../components/record/record-tables.ts";
import type { Noun } from "./noun.ts";

export type LabelledRow = ReturnType<typeof labelledRows>[number];

/** Rows whose changes name each field as its record's form does. */
export function labelledRows({ kind }: Noun, rows: ImportRow[]) {
  const fields = (kind === "users" ? userSections : branchSections).flatMap((section) => section.fields);
  const labelOf = (name: string) => fields.find((field) => field.name === name)?.label ?? name;
  return rows.map((row) => ({
    ...row,
    changes: row.changes.map((change) => ({ ...change, label: labelOf(change.field) })),
  }));
}
