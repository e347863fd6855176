import { t } from "#lib/messages/staff.ts";
import { Field, type Option } from "../form/field.tsx";

/** Values as the calls that read tables take them (`provider/contract/table-reading.ts`). */
export const encodingOptions = [
  { value: "utf-8", label: "UTF-8" },
  { value: "utf-16le", label: "UTF-16" },
  { value: "utf-16be", label: t("components.tableReading.utf16BigEndian") },
  { value: "windows-1250", label: t("components.tableReading.windows1250") },
  { value: "windows-1251", label: t("components.tableReading.windows1251") },
  { value: "windows-1252", label: t("components.tableReading.windows1252") },
  { value: "windows-1254", label: t("components.tableReading.windows1254") },
  { value: "windows-1253", label: "Windows-1253 (Ελληνικά)" },
  { value: "windows-1255", label: "Windows-1255 (עברית)" },
  { value: "windows-1256", label: "Windows-1256 (العربية)" },
  { value: "shift_jis", label: "Shift_JIS (日本語)" },
  { value: "gbk", label: "GBK (简体中文)" },
  { value: "big5", label: "Big5 (繁體中文)" },
  { value: "euc-kr", label: "EUC-KR (한국어)" },
  { value: "koi8-r", label: "KOI8-R (Русский)" },
  { value: "macintosh", label: t("components.tableReading.macRoman") },
];

export const separatorOptions = [
  { value: "comma", label: t("components.tableReading.comma") },
  { value: "semicolon", label: t("components.tableReading.semicolon") },
  { value: "tab", label: t("components.tableReading.tab") },
  { value: "pipe", label: t("components.tableReading.pipe") },
];

type CsvChoicesProps = { idPrefix: string; encoding: string; separator: string; first?: Option[] };

/** The encoding and separator of a CSV file. */
export const CsvChoices = ({ idPrefix, encoding, separator, first = [] }: CsvChoicesProps) => (
  <>
    <Field
      field={{ id: `${idPrefix}encoding`, name: "encoding", initialValue: encoding }}
      label={t("components.tableReading.encoding")}
      options={[...first, ...encodingOptions]}
    />
    <Field
      field={{ id: `${idPrefix}separator`, name: "separator", initialValue: separator }}
      label={t("components.tableReading.betweenCells")}
      options={[...first, ...separatorOptions]}
    />
  </>
);

/** Fields of a form that sends a table, for CSV files whose encoding or separator can't be found. */
export const CsvFields = ({ isOpen }: { isOpen: boolean }) => (
  <details open={isOpen}>
    <summary>{t("components.tableReading.encodingAndSeparator")}</summary>
    <div className="mt-3 grid gap-4">
      <CsvChoices
        idPrefix="new-"
        encoding=""
        separator=""
        first={[{ value: "", label: t("components.tableReading.foundFromTheFile") }]}
      />
    </div>
  </details>
);
