import { Form } from "react-router";
import type { BulkIssue } from "#provider/contract/bulk-issues.ts";
import { FieldError, Options, withStored } from "../../../components/field.tsx";

type MappingFormProps = {
  issue: Pick<BulkIssue, "columns" | "mapping" | "fields">;
  /** Cells of the first rows. */
  samples: string[][];
  error: string | undefined;
  mayCheck: boolean;
};

/** What each column of the table is. */
export const MappingForm = ({ issue: { columns, mapping, fields }, samples, error, mayCheck }: MappingFormProps) => (
  <section className="panel mb-5" aria-labelledby="mapping" id="mapping-panel">
    <div className="panel-head">
      <div>
        <h2 id="mapping" tabIndex={-1}>
          The columns
        </h2>
        <p className="text-sm text-muted">
          A document gets what its row says. Columns that are not used stay in the results. A custom field is shown to
          everyone who may read the document.
        </p>
      </div>
    </div>
    <Form method="post" noValidate preventScrollReset>
      {error && (
        <div className="px-5 pb-3 max-md:px-4">
          <FieldError message={error} />
        </div>
      )}
      <table className="data reflow" role="table">
        <caption className="sr-only">Columns of the table</caption>
        <thead role="rowgroup">
          <tr role="row">
            {["Column", "Is", "For example"].map((label) => (
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
              <td role="cell" data-label="Is">
                <select
                  className="select"
                  name="mapping[]"
                  defaultValue={mapping[n] ?? ""}
                  key={mapping[n]}
                  aria-label={`What “${column}” is`}
                >
                  <Options options={withStored([{ value: "", label: "Not used" }, ...fields], mapping[n])} />
                </select>
              </td>
              <td role="cell" data-label="For example" className="text-muted [overflow-wrap:anywhere]">
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
            Check rows
          </button>
        )}
        <button type="submit" className="btn btn-quiet" name="intent" value="save">
          Save columns
        </button>
        {!mayCheck && <p className="text-sm text-muted">Add the page files, then check the rows.</p>}
      </div>
    </Form>
  </section>
);
