import { CsvChoices, encodingOptions, separatorOptions } from "./csv-choices.tsx";
import { Form } from "../form/form.tsx";
import { t } from "#lib/messages/staff.ts";
import { Field } from "../form/field.tsx";

const labelOf = (options: { value: string; label: string }[], value: string) =>
  options.find((option) => option.value === value)?.label ?? value;

type TableReadingFieldsProps = {
  table: {
    format: string;
    encoding: string;
    separator: string;
    sheet: string;
    sheets: string[];
    hidden: string;
    hidden_rows: number;
    hidden_columns: string[];
  };
  /** How many rows were read. */
  rows: number;
};

type TableReadingProps = TableReadingFieldsProps & {
  /** Where the form is sent, and what it sends beside the choices. */
  action: string;
  sent: Record<string, string>;
};

/** A form that reads a table again as chosen. */
export const TableReading = ({ action, sent, ...about }: TableReadingProps) => (
  <Form method="post" action={action} className="grid max-w-xl justify-items-start gap-4" noValidate preventScrollReset>
    {Object.entries(sent).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    <TableReadingFields {...about} />
  </Form>
);

/** How a table was read, what its file hides, and a button that reads it again as chosen. */
export function TableReadingFields({ table, rows }: TableReadingFieldsProps) {
  const { format, encoding, separator, sheet, sheets, hidden, hidden_rows, hidden_columns } = table;
  const hasHidden = hidden_rows + hidden_columns.length > 0;
  const isLeftOut = hidden === "skip";
  const all = isLeftOut ? rows + hidden_rows : rows;
  const columns = hidden_columns.join(", ");
  return (
    <>
      <p>
        {format === "csv"
          ? t("components.tableReading.readAsCsv", {
              encoding: labelOf(encodingOptions, encoding),
              separator: labelOf(separatorOptions, separator),
            })
          : t("components.tableReading.readFromSheet", { sheet })}
      </p>
      {hasHidden && (
        <div className="notice is-warn">
          {hidden_rows > 0 && <p>{t("components.tableReading.hiddenRows", { hidden: hidden_rows, rows: all })}</p>}
          {columns && <p>{t("components.tableReading.hiddenColumns", { columns })}</p>}
          <p>{isLeftOut ? t("components.tableReading.areLeftOut") : t("components.tableReading.areReadToo")}</p>
        </div>
      )}
      {format === "csv" && <CsvChoices idPrefix="" encoding={encoding} separator={separator} />}
      {sheets.length > 1 && (
        <Field
          field={{ id: "sheet", name: "sheet", initialValue: sheet }}
          label={t("components.tableReading.sheet")}
          options={sheets}
        />
      )}
      {hasHidden && (
        <Field
          field={{ id: "hidden", name: "hidden", initialValue: hidden }}
          label={t("components.tableReading.hiddenRowsAndColumns")}
          options={[
            { value: "skip", label: t("components.tableReading.leaveThemOut") },
            { value: "include", label: t("components.tableReading.readThemToo") },
          ]}
        />
      )}
      {(format === "csv" || sheets.length > 1 || hasHidden) && (
        <button type="submit" className="btn btn-quiet" name="intent" value="read">
          {t("components.tableReading.readAgain")}
        </button>
      )}
    </>
  );
}
