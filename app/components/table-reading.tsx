import { Form } from "./form.tsx";
import { say } from "#messages/staff.ts";
import { Field, type Option } from "./field.tsx";

/** Values as the calls that read tables take them (`provider/contract/table-reading.ts`). */
const encodingOptions = [
  { value: "utf-8", label: "UTF-8" },
  { value: "utf-16le", label: "UTF-16" },
  { value: "utf-16be", label: say("components.tableReading.utf16BigEndian") },
  { value: "windows-1250", label: say("components.tableReading.windows1250") },
  { value: "windows-1251", label: say("components.tableReading.windows1251") },
  { value: "windows-1252", label: say("components.tableReading.windows1252") },
  { value: "windows-1254", label: say("components.tableReading.windows1254") },
];

const separatorOptions = [
  { value: "comma", label: say("components.tableReading.comma") },
  { value: "semicolon", label: say("components.tableReading.semicolon") },
  { value: "tab", label: say("components.tableReading.tab") },
  { value: "pipe", label: say("components.tableReading.pipe") },
];

const labelOf = (options: { value: string; label: string }[], value: string) =>
  options.find((option) => option.value === value)?.label ?? value;

type CsvChoicesProps = { idPrefix: string; encoding: string; separator: string; first?: Option[] };

/** The encoding and separator of a CSV file. */
const CsvChoices = ({ idPrefix, encoding, separator, first = [] }: CsvChoicesProps) => (
  <>
    <Field
      field={{ id: `${idPrefix}encoding`, name: "encoding", initialValue: encoding }}
      label={say("components.tableReading.encoding")}
      options={[...first, ...encodingOptions]}
    />
    <Field
      field={{ id: `${idPrefix}separator`, name: "separator", initialValue: separator }}
      label={say("components.tableReading.betweenCells")}
      options={[...first, ...separatorOptions]}
    />
  </>
);

/** Fields of a form that sends a table, for CSV files whose encoding or separator can't be found. */
export const CsvFields = ({ isOpen }: { isOpen: boolean }) => (
  <details open={isOpen}>
    <summary>{say("components.tableReading.encodingAndSeparator")}</summary>
    <div className="mt-3 grid gap-4">
      <CsvChoices
        idPrefix="new-"
        encoding=""
        separator=""
        first={[{ value: "", label: say("components.tableReading.foundFromTheFile") }]}
      />
    </div>
  </details>
);

type TableReadingProps = {
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
  /** Where the form is sent, and what it sends beside the choices. */
  action: string;
  sent?: Record<string, string>;
};

/** How a table was read, what its file hides, and a form that reads it again as chosen. */
export function TableReading({ table, rows, action, sent = {} }: TableReadingProps) {
  const { format, encoding, separator, sheet, sheets, hidden, hidden_rows, hidden_columns } = table;
  const hasHidden = hidden_rows + hidden_columns.length > 0;
  const isLeftOut = hidden === "skip";
  const all = isLeftOut ? rows + hidden_rows : rows;
  const columns = hidden_columns.join(", ");
  return (
    <Form
      method="post"
      action={action}
      className="grid max-w-xl justify-items-start gap-4"
      noValidate
      preventScrollReset
    >
      {Object.entries(sent).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <p>
        {format === "csv"
          ? say("components.tableReading.readAsCsv", {
              encoding: labelOf(encodingOptions, encoding),
              separator: labelOf(separatorOptions, separator),
            })
          : say("components.tableReading.readFromSheet", { sheet })}
      </p>
      {hasHidden && (
        <div className="notice is-warn">
          {hidden_rows > 0 && <p>{say("components.tableReading.hiddenRows", { hidden: hidden_rows, rows: all })}</p>}
          {columns && <p>{say("components.tableReading.hiddenColumns", { columns })}</p>}
          <p>{isLeftOut ? say("components.tableReading.areLeftOut") : say("components.tableReading.areReadToo")}</p>
        </div>
      )}
      {format === "csv" && <CsvChoices idPrefix="" encoding={encoding} separator={separator} />}
      {sheets.length > 1 && (
        <Field
          field={{ id: "sheet", name: "sheet", initialValue: sheet }}
          label={say("components.tableReading.sheet")}
          options={sheets}
        />
      )}
      {hasHidden && (
        <Field
          field={{ id: "hidden", name: "hidden", initialValue: hidden }}
          label={say("components.tableReading.hiddenRowsAndColumns")}
          options={[
            { value: "skip", label: say("components.tableReading.leaveThemOut") },
            { value: "include", label: say("components.tableReading.readThemToo") },
          ]}
        />
      )}
      {(format === "csv" || sheets.length > 1 || hasHidden) && (
        <button type="submit" className="btn btn-quiet">
          {say("components.tableReading.readAgain")}
        </button>
      )}
    </Form>
  );
}
