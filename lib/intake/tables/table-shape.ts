/** A table that can't or won't be read; the message is for its user. */
export class TableRefused extends Error {}

/** A cell's text, or why it can't be read. */
export type Cell = string | { refusal: string };

export type SheetRow = { line: number; cells: Cell[]; isHidden?: boolean };

/** Cells that are one, from the first to the last line and column, both counted as `SheetRow` does. */
export type Merge = { lines: [number, number]; columns: [number, number] };

/** A file's rows before the limits of a table are applied. */
export type Sheet = { rows: SheetRow[]; hiddenColumns: Set<number>; merges: Merge[]; facts: TableFacts };

/** How to read a file; options left out follow from the file. */
export type TableReading = {
  encoding?: string | undefined;
  separator?: string | undefined;
  /** The name of an XLSX file's sheet; otherwise the one that opens. */
  sheet?: string | undefined;
  /** A language that is likely in it, as BCP 47 names it. */
  language?: string | undefined;
  /** Whether rows and columns that the file hides are read too. */
  withHidden?: boolean | undefined;
};

/** How a file was read. */
export type TableFacts = {
  format: "csv" | "xlsx";
  /** Of CSV: its encoding, as WHATWG names it, and what stands between cells. */
  encoding: string;
  separator: string;
  /** Of XLSX: the sheet that was read, and all that are not hidden. */
  sheet: string;
  sheets: string[];
};

export const maxColumns = 200;

/** Lines of a file for each row that its table may have: empty and hidden ones count. */
export const linesPerRow = 5;

export const tooManyColumns = () => new TableRefused(`There are more than ${maxColumns} columns`);

export const tooManyLines = (lines: number) =>
  new TableRefused(
    `There are more than ${lines.toLocaleString("en-GB")} lines, empty and hidden ones among them: remove those`,
  );

export const damaged = () =>
  new TableRefused("The file is damaged or no table: save it again as .xlsx or CSV in your spreadsheet");
