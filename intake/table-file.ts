import { open } from "node:fs/promises";
import { mebibytesInBytes } from "#units";
import { unprotected } from "./csv-line.ts";
import { readCsv } from "./table-csv.ts";
import { type Cell, maxColumns as mostColumns, type SheetRow, TableRefused } from "./table-shape.ts";
import { readXlsx } from "./table-xlsx.ts";

export { TableRefused } from "./table-shape.ts";

/** The bytes of a table's file, as it is uploaded. */
export const maxTableBytes = mebibytesInBytes(20);

export type TableRow = {
  /** The row's number as a spreadsheet shows it, where the headings are usually row 1. */
  line: number;
  cells: string[];
};

export type Table = {
  columns: string[];
  rows: TableRow[];
  format: "csv" | "xlsx";
  encoding?: string;
  separator?: string;
};

export type TableLimits = {
  maxRows: number;
  maxColumns?: number;
  /** The name of an XLSX file's sheet; otherwise its first. */
  sheet?: string;
};

/**
 * Reads a CSV or XLSX file whole, as text: dates in ISO 8601, numbers without exponents, formulas by their last value.
 * Empty rows are left out, and each row has a cell for each column. Throws `TableRefused`.
 */
export async function readTable(path: string, limits: TableLimits): Promise<Table> {
  const { start, bytes } = await readStart(path);
  if (bytes > maxTableBytes) throw new TableRefused("The file is larger than 20 MB: divide it, or leave out pictures");
  if (isOldSpreadsheet(start)) {
    throw new TableRefused("The file has a password or is of an old kind: save it as .xlsx or CSV without a password");
  }
  const isXlsx = start.subarray(0, 4).equals(zipStart);
  const { rows, ...facts } = isXlsx ? await readXlsx(path, limits.sheet) : await readCsv(path);
  return { ...(await collect(rows, limits)), ...facts };
}

async function readStart(path: string) {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(8), 0, 8, 0);
    return { start: buffer.subarray(0, bytesRead), bytes: (await file.stat()).size };
  } finally {
    await file.close();
  }
}

const zipStart = Buffer.from("PK\x03\x04");
const isOldSpreadsheet = (start: Buffer) => start.equals(Buffer.from("d0cf11e0a1b11ae1", "hex"));

async function collect(rows: AsyncIterable<SheetRow>, { maxRows, maxColumns = mostColumns }: TableLimits) {
  let columns: string[] | undefined;
  const found: TableRow[] = [];
  for await (const { line, cells } of rows) {
    if (cells.every((cell) => typeof cell === "string" && !cell.trim())) continue;
    if (!columns) columns = headings(line, cells, maxColumns);
    else {
      if (found.length === maxRows) {
        throw new TableRefused(`There are more than ${maxRows.toLocaleString("en-GB")} rows: divide the file`);
      }
      found.push({ line, cells: cellsOf(line, cells, columns) });
    }
  }
  if (!columns) throw new TableRefused("The file is empty: its first row has the names of the columns");
  return { columns, rows: found };
}

function headings(line: number, cells: Cell[], maxColumns: number) {
  const texts = cells.map((cell) => (typeof cell === "string" ? unprotected(cell).trim() : ""));
  const columns = texts.slice(0, texts.findLastIndex(Boolean) + 1);
  if (columns.length > maxColumns) throw new TableRefused(`There are more than ${maxColumns} columns`);
  const unnamed = columns.indexOf("");
  if (unnamed >= 0) {
    throw new TableRefused(`Line ${line}: column ${columnLetters(unnamed)} has no name. Name each column in this row`);
  }
  const long = columns.find((name) => name.length > maxHeadingCharacters);
  if (long) {
    throw new TableRefused(
      `Line ${line}: “${long.slice(0, 40)}…” is too long for a column’s name. The first row names the columns`,
    );
  }
  const lower = columns.map((name) => name.toLowerCase());
  const twice = columns.find((_, at) => lower.lastIndexOf(lower[at]!) !== at);
  if (twice) throw new TableRefused(`Line ${line}: two columns are called “${twice}”. Rename or remove one`);
  return columns;
}

function cellsOf(line: number, cells: Cell[], columns: string[]) {
  const beyond = cells.findIndex((cell, at) => at >= columns.length && (typeof cell !== "string" || cell.trim()));
  if (beyond >= 0) {
    throw new TableRefused(
      `Line ${line} has a cell in column ${columnLetters(beyond)}, which has no name: check quotes and separators`,
    );
  }
  return columns.map((name, at) => {
    const cell = cells[at] ?? "";
    if (typeof cell !== "string") throw new TableRefused(`Line ${line}, “${name}”: ${cell.refusal}`);
    const text = unprotected(cell);
    if (text.length <= maxCellCharacters) return text;
    throw new TableRefused(`Line ${line}, “${name}”: the cell has more than 4,000 characters`);
  });
}

const maxHeadingCharacters = 200;
const maxCellCharacters = 4_000;

/** `A` for 0, as spreadsheets name columns. */
function columnLetters(at: number): string {
  return at < 26 ? String.fromCharCode(65 + at) : columnLetters(Math.floor(at / 26) - 1) + columnLetters(at % 26);
}
