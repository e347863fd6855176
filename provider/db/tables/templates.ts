import type { Generated } from "kysely";

/** PDFs whose form is filled from rows of a table. */
export type TemplateTables = {
  templates: {
    id: Generated<number>;
    company_id: number;
    name: string;
    name_key: string;
    /** In the store: a replaced file gets another key. */
    file_key: string;
    bytes: number;
    pages: number;
    /** JSON: a list of `TemplateColumn` (`lib/page-files/templates/template.ts`). */
    columns: string;
    /** JSON: notes, as predicates to its name. */
    notes: Generated<string>;
    /** Empty: as each bulk issue says. */
    qr_placing: Generated<string>;
    /** Of the first page in points; 0 for files of earlier versions. */
    width: Generated<number>;
    height: Generated<number>;
    /** From 1, and one more for each replaced file. */
    version: Generated<number>;
    created_at: string;
    changed_at: string;
  };
};
