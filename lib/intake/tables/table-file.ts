/* oxlint-disable no-control-regex -- kinds are detected by bytes */
import { open } from "node:fs/promises";
import { fold } from "../../text.ts";
import { mebibytesInBytes } from "../../units.ts";
import { unprotected } from "./csv-line.ts";
import { readCsv } from "./table-csv.ts";
import {
  type Cell,
  damaged,
  maxColumns as mostColumns,
  type Merge,
  type Sheet,
  type SheetRow,
  type TableFacts,
  type TableReading,
  TableRefused,
} from "./table-shape.ts";
import { readXlsx } from "./table-xlsx.ts";

/** The bytes of a table's file, as it is uploaded. */
export const maxTableBytes = mebibytesInBytes(20);

export type TableRow = {
  /** The row's number as a spreadsheet shows it, where the headings are usually row 1. */
  line: number;
  cells: string[];
};

/** How a table was read, and what its file hides. */
export type ReadFacts = TableFacts & {
  /** How many rows of the table are hidden in the file, and the names of its hidden columns. */
  hiddenRows: number;
  hiddenColumns: string[];
  /** Whether those were read too. */
  withHidden: boolean;
};

export type Table = ReadFacts & { columns: string[]; rows: TableRow[] };

export type TableLimits = { maxRows: number; maxColumns?: number; maxCellCharacters?: number };

/**
 * Reads a CSV or XLSX file whole, as what its cells show: whole days in ISO 8601, formulas by their last value. Empty rows
 * are left out, and hidden ones unless they are chosen; each row has a cell for each column. Throws `TableRefused`.
 */
export async function readTable(path: string, limits: TableLimits, reading: TableReading = {}): Promise<Table> {
  const { start, bytes } = await readStart(path);
  if (bytes > maxTableBytes) throw new TableRefused("The file is larger than 20 MB: divide it, or leave out pictures");
  const other = otherTable(start.toString("latin1"));
  if (other) throw new TableRefused(`The file ${other}`);
  const isXlsx = start.subarray(0, 4).equals(zipStart);
  const { maxRows } = limits;
  const sheet = isXlsx
    ? await readXlsx(path, { sheet: reading.sheet, maxRows })
    : await readCsv(path, { ...reading, maxRows });
  return tableOf(sheet, limits, reading.withHidden ?? false);
}

async function readStart(path: string) {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
    return { start: buffer.subarray(0, bytesRead), bytes: (await file.stat()).size };
  } finally {
    await file.close();
  }
}

const zipStart = Buffer.from("PK\x03\x04");

/** Kinds of files that are no table here, by their first bytes as Latin-1. */
const otherTables: [RegExp, string][] = [
  [
    /^\xd0\xcf\x11\xe0/,
    "has a password or is an Excel file of an old kind (.xls): save it as .xlsx or CSV without a password",
  ],
  [/^PK.*application\/vnd\.oasis\.opendocument/s, "is an OpenDocument file (.ods): save it as .xlsx or CSV"],
  [/^PK.*Index\/(Document|CalculationEngine|Tables)/s, "is a Numbers document: export it as .xlsx or CSV"],
  [
    /^(\xef\xbb\xbf)?\s*<\?xml.*urn:schemas-microsoft-com:office:spreadsheet/s,
    `is an XML spreadsheet: save it as .xlsx or CSV`,
  ],
  [
    /^(\xef\xbb\xbf)?\s*(<\?xml[^>]*>\s*)?<(!doctype html|html|head|meta|table)[\s>]/i,
    "is a web page, whatever its name: open it in a spreadsheet, and save it as .xlsx or CSV",
  ],
];

const otherTable = (start: string) => otherTables.find(([pattern]) => pattern.test(start))?.[1];

function tableOf({ rows: all, merges, hiddenColumns, facts }: Sheet, limits: TableLimits, withHidden: boolean): Table {
  const { maxRows, maxColumns = mostColumns } = limits;
  const isShown = ({ isHidden }: SheetRow) => withHidden || !isHidden;
  const filled = all.filter(({ cells }) => !cells.every(isEmpty));
  const first = filled.find(isShown);
  if (!first) throw new TableRefused(filled.length > 0 ? allHidden : noHeadings);
  const below = filled.slice(filled.indexOf(first) + 1);
  const names = headingTexts(first);
  fillMerges(below, merges, { heading: first.line, columns: names.length });
  const visible = names.map((_, at) => at).filter((at) => withHidden || !hiddenColumns.has(at));
  const pick = ({ line, cells }: SheetRow) => ({
    line,
    cells: visible.map((at) => cells[at] ?? ""),
    beyond: cells.findIndex(
      (cell, at) => at >= names.length && (withHidden || !hiddenColumns.has(at)) && !isEmpty(cell),
    ),
  });
  if (visible.length === 0) throw new TableRefused(allHidden);
  const columns = headings(
    first.line,
    visible.map((at) => ({ at, name: names[at]! })),
    maxColumns,
  );
  const chosen = below.filter(isShown);
  if (chosen.length > maxRows) {
    throw new TableRefused(`There are more than ${maxRows.toLocaleString("en-GB")} rows: divide the file`);
  }
  const rows: TableRow[] = [];
  let characters = 0;
  for (const row of chosen) {
    const cells = cellsOf(pick(row), columns, { ...limits, isXlsx: facts.format === "xlsx" });
    characters = cells.reduce((sum, cell) => sum + cell.length, characters);
    if (characters > maxTableBytes) throw new TableRefused("The table has more than 20 MB of text: divide it");
    rows.push({ line: row.line, cells });
  }
  const hidden = names.filter((name, at) => name && hiddenColumns.has(at));
  const hiddenRows = below.filter(({ isHidden }) => isHidden).length;
  return { columns, rows, ...facts, hiddenRows, hiddenColumns: hidden, withHidden };
}

const noHeadings = "The file is empty: its first row has the names of the columns";
const allHidden = "The sheet hides all its rows or columns: show those that are needed";
const isEmpty = (cell: Cell) => typeof cell === "string" && !cell.trim();

function headingTexts({ cells }: SheetRow) {
  const texts = cells.map((cell) => (typeof cell === "string" ? unprotected(cell).trim() : ""));
  return texts.slice(0, texts.findLastIndex(Boolean) + 1);
}

/** Cells that a sheet's merges may cover in all: more than a table has only if they lie upon each other. */
const maxMergedCells = 4_000_000;

/** Gives each row of merged cells what they show, in their first column: the others show nothing of their own. */
function fillMerges(rows: SheetRow[], merges: Merge[], { heading, columns }: { heading: number; columns: number }) {
  let covered = 0;
  for (const { lines, columns: across } of merges) {
    const [top, bottom] = lines;
    const [firstColumn] = across;
    if (firstColumn >= columns || bottom <= heading) continue;
    if (top <= heading) {
      throw new TableRefused(`Line ${heading}: cells are merged with the rows below. Name each column in one row`);
    }
    const start = firstAt(rows, top);
    const end = firstAt(rows, bottom + 1);
    const value = rows[start]?.line === top ? (rows[start].cells[firstColumn] ?? "") : "";
    if (isEmpty(value)) continue;
    covered += end - start;
    if (covered > maxMergedCells) throw damaged();
    for (const { cells } of rows.slice(start, end)) {
      while (cells.length <= firstColumn) cells.push("");
      cells[firstColumn] = value;
    }
  }
}

/** The index of the first row at or below a line. */
function firstAt(rows: SheetRow[], line: number) {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.line < line) low = middle + 1;
    else high = middle;
  }
  return low;
}

function headings(line: number, named: { at: number; name: string }[], maxColumns: number) {
  const columns = named.map(({ name }) => name);
  if (columns.length > maxColumns) throw new TableRefused(`There are more than ${maxColumns} columns`);
  const unnamed = named.find(({ name }) => name === "");
  if (unnamed) {
    throw new TableRefused(
      `Line ${line}: column ${columnLetters(unnamed.at)} has no name. Name each column in this row`,
    );
  }
  const long = columns.find((name) => name.length > maxHeadingCharacters);
  if (long) {
    throw new TableRefused(
      `Line ${line}: “${long.slice(0, 40)}…” is too long for a column’s name. The first row names the columns`,
    );
  }
  const folded = columns.map(fold);
  const twice = columns.find((_, at) => folded.lastIndexOf(folded[at]!) !== at);
  if (twice) throw new TableRefused(`Line ${line}: two columns are called “${twice}”. Rename or remove one`);
  return columns;
}

type CellLimits = { maxCellCharacters?: number | undefined; isXlsx: boolean };
type PickedRow = SheetRow & { /** The first cell beyond the named columns; below 0 for none. */ beyond: number };

function cellsOf(
  { line, cells, beyond }: PickedRow,
  columns: string[],
  { maxCellCharacters = 4_000, isXlsx }: CellLimits,
) {
  if (beyond >= 0) {
    throw new TableRefused(
      `Line ${line} has a cell in column ${columnLetters(beyond)}, which has no name. The first row names the columns: delete a title above it${isXlsx ? "" : ", and check quotes and separators"}`,
    );
  }
  return columns.map((name, at) => {
    const cell = cells[at]!;
    if (typeof cell !== "string") throw new TableRefused(`Line ${line}, “${name}”: ${cell.refusal}`);
    const text = unprotected(cell);
    if (text.length <= maxCellCharacters) return text;
    const limit = maxCellCharacters.toLocaleString("en-GB");
    throw new TableRefused(`Line ${line}, “${name}”: the cell has more than ${limit} characters`);
  });
}

const maxHeadingCharacters = 200;

/** `A` for 0, as spreadsheets name columns. */
function columnLetters(at: number): string {
  return at < 26 ? String.fromCharCode(65 + at) : columnLetters(Math.floor(at / 26) - 1) + columnLetters(at % 26);
}
