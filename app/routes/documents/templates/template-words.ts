import { say } from "#messages/staff.ts";
import type { Template } from "#provider/contract/templates.ts";
import { showCount } from "../../../components/format.ts";

export const noColumns = say("documents.templates.templateWords.noColumnsEveryDocument");

export const previewOf = ({ id, version }: Pick<Template, "id" | "version">, size: "small" | "large") =>
  `/files/templates/${id}/preview?size=${size}&v=${version}`;

/** “3 columns: name, town, grade” */
export function columnsInWords({ columns }: Pick<Template, "columns">): string {
  if (columns.length === 0) return noColumns;
  const names = columns.slice(0, 8).map(({ name }) => name);
  const more = columns.length > names.length ? ", …" : "";
  return `${showCount(columns.length, "column")}: ${names.join(", ")}${more}`;
}
