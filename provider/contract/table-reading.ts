import { z } from "zod";
import { text } from "./fields.ts";
import { hiddenChoices, tableEncodings, tableSeparators, type TableSeparator } from "./table-options.ts";

/** How a table's file is read, and how it was. */

const separators = Object.keys(tableSeparators) as TableSeparator[];

/** Fields of a call that reads a table; empty ones and missing ones follow from the file. */
export const tableReading = {
  encoding: z
    .enum(["", ...tableEncodings], "Choose one of the encodings")
    .default("")
    .meta({ description: "Of CSV: the file’s encoding" }),
  separator: z
    .enum(["", ...separators], "Choose one of the separators")
    .default("")
    .meta({ description: "Of CSV: what stands between cells" }),
  sheet: text("sheet", 100).meta({ description: "Of XLSX: a sheet’s name; otherwise the one that opens" }),
  hidden: z
    .enum(hiddenChoices, "Choose whether hidden rows and columns are left out")
    .default("skip")
    .meta({ description: "Of XLSX: whether rows and columns that the file hides are read too" }),
};

const words = z.array(z.string()).default([]);

export const TableFacts = z
  .object({
    format: z.enum(["csv", "xlsx"]),
    encoding: z.string().default("").meta({ description: "Of CSV: the encoding in which it was read" }),
    separator: z.string().default("").meta({ description: "Of CSV: comma, semicolon, tab or pipe" }),
    sheet: z.string().default("").meta({ description: "Of XLSX: the sheet that was read" }),
    sheets: words.meta({ description: "Of XLSX: all sheets that are not hidden" }),
    hidden: z.enum(hiddenChoices).default("skip").meta({ description: "Whether those were left out" }),
    hidden_rows: z.int().default(0).meta({ description: "How many of the table’s rows the file hides" }),
    hidden_columns: words.meta({ description: "Names of the columns that the file hides" }),
  })
  .meta({ id: "TableFacts", description: "How a table’s file was read" });
export type TableFacts = z.output<typeof TableFacts>;
