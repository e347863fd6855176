import { t } from "#lib/messages/staff.ts";
import type { BulkIssue } from "#provider/contract/bulk-issues.ts";
import { FieldError, Options, withStored } from "../../../components/form/field.tsx";
import { Form } from "../../../components/form/form.tsx";

type MappingFormProps = {
  issue: Pick<BulkIssue, "columns" | "mapping" | "fields">;
  /** Cells of the first rows. */
  samples: string[][];
  error: string | undefined;
  mayCheck: boolean;
};

const headings = [
  t("documents.bulk.mappingForm.column"),
  t("documents.bulk.mappingForm.is"),
  t("documents.bulk.mappingForm.forExample"),
];

/** What each column of the table is. */
export const MappingForm = ({ issue: { columns, mapping, fields }, samples, error, mayCheck }: MappingFormProps) => (
  <section className="panel mb-5" aria-labelledby="mapping" id="mapping-panel">
    <div className="panel-head">
      <div>
        <h2 id="mapping" tabIndex={-1}>
          {t("documents.bulk.mappingForm.theColumns")}
        </h2>
        <p className="text-sm text-muted">{t("documents.bulk.mappingForm.howColumnsAreUsed")}</p>
      </div>
    </div>
    <Form method="post" noValidate preventScrollReset>
      {error && (
        <div className="px-5 pb-3 max-md:px-4">
          <FieldError message={error} />
        </div>
      )}
      <table className="data reflow" role="table">
        <caption className="sr-only">{t("documents.bulk.mappingForm.columnsOfTheTable")}</caption>
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
                  aria-label={t("documents.bulk.mappingForm.whatColumnIs", { column })}
                >
                  <Options
                    options={withStored(
                      [{ value: "", label: t("documents.bulk.mappingForm.notUsed") }, ...fields],
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
      <div className="panel-foot flex flex-wrap items-center gap-3 !py-4 lg:!px-6">
        {mayCheck && (
          <button type="submit" className="btn btn-primary" name="intent" value="check">
            {t("documents.bulk.check.checkRows")}
          </button>
        )}
        <button type="submit" className="btn btn-quiet" name="intent" value="save">
          {t("documents.bulk.mappingForm.saveColumns")}
        </button>
        {!mayCheck && <p className="text-sm text-muted">{t("documents.bulk.mappingForm.addThePageFilesFirst")}</p>}
      </div>
    </Form>
  </section>
);
