import { t } from "#lib/messages/staff.ts";
import type { BulkIssue } from "#provider/contract/bulk-issues.ts";
import { FieldError, Options, withStored } from "../../../components/form/field.tsx";

type MappingFieldsProps = {
  issue: Pick<BulkIssue, "columns" | "mapping" | "fields">;
  /** Cells of the first rows. */
  samples: string[][];
  error: string | undefined;
};

const headings = [
  t("documents.bulk.mappingFields.column"),
  t("documents.bulk.mappingFields.is"),
  t("documents.bulk.mappingFields.forExample"),
];

/** What each column of the table is. */
export const MappingFields = ({ issue: { columns, mapping, fields }, samples, error }: MappingFieldsProps) => (
  <section className="panel mb-5" aria-labelledby="mapping" id="mapping-panel">
    <div className="panel-head">
      <div>
        <h2 id="mapping" tabIndex={-1}>
          {t("documents.bulk.mappingFields.theColumns")}
        </h2>
        <p className="text-sm text-muted">{t("documents.bulk.mappingFields.howColumnsAreUsed")}</p>
        {fields.some(({ value }) => value === "recipient_email") && (
          <p className="text-sm text-muted">{t("documents.bulk.mappingFields.howRecipientsAreUsed")}</p>
        )}
      </div>
    </div>
    {error && (
      <div className="px-5 pb-3 max-md:px-4">
        <FieldError message={error} />
      </div>
    )}
    <div className="table-box">
      <table className="data reflow" role="table">
        <caption className="sr-only">{t("documents.bulk.mappingFields.columnsOfTheTable")}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {headings.map((label) => (
              <th key={label} scope="col" role="columnheader">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {columns.map((column, n) => (
            <tr key={n} role="row">
              <th scope="row" role="rowheader">
                {column}
              </th>
              <td role="cell" data-label={headings[1]}>
                <select
                  className="select"
                  name="mapping[]"
                  defaultValue={mapping[n] ?? ""}
                  key={mapping[n]}
                  aria-label={t("documents.bulk.mappingFields.whatColumnIs", { column })}
                >
                  <Options
                    options={withStored(
                      [{ value: "", label: t("documents.bulk.mappingFields.notUsed") }, ...fields],
                      mapping[n],
                    )}
                  />
                </select>
              </td>
              <td role="cell" data-label={headings[2]} className="text-muted [overflow-wrap:anywhere]">
                {samples
                  .map((cells) => cells[n] ?? "")
                  .filter(Boolean)
                  .map((cell) => (cell.length > 40 ? `${cell.slice(0, 40)} …` : cell))
                  .join(" · ") || "–"}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </section>
);
