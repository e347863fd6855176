import { t } from "#lib/messages/staff.ts";
import type { Template } from "#provider/contract/templates.ts";

export const previewOf = ({ id, version }: Pick<Template, "id" | "version">, size: "small" | "large") =>
  `/files/templates/${id}/preview?size=${size}&v=${version}`;

/** “3 columns: name, town, grade” */
export function columnsInWords({ columns }: Pick<Template, "columns">): string {
  if (columns.length === 0) return t("documents.templates.templateWords.noColumns");
  const names = columns.slice(0, 8).map(({ name }) => name);
  const words = { count: columns.length, names: names.join(", ") };
  return columns.length > names.length
    ? t("documents.templates.templateWords.moreColumns", words)
    : t("documents.templates.templateWords.columns", words);
}
