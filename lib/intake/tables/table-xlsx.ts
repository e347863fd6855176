import {
  type Cell,
  damaged,
  linesPerRow,
  maxColumns,
  type Merge,
  type Sheet,
  tooManyColumns,
  tooManyLines,
} from "./table-shape.ts";
import { general, shownDate, shownNumber, shownText } from "./xlsx-numbers.ts";
import { tooLarge, XlsxPackage } from "./xlsx-package.ts";
import { textReader, withoutEscapes } from "./xlsx-text.ts";
import { openWorkbook, type Workbook } from "./xlsx-workbook.ts";

/** Reads the rows of a sheet that have a cell of their own. Throws `TableRefused`. */
export async function readXlsx(path: string, { sheet, maxRows }: { sheet: string | undefined; maxRows: number }) {
  const parts = await XlsxPackage.open(path);
  try {
    const { workbook, sheetPart, ...chosen } = await openWorkbook(parts, sheet);
    const rows = await readSheet(parts, sheetPart, { workbook, maxLines: maxRows * linesPerRow });
    return { ...rows, facts: { format: "xlsx" as const, encoding: "", separator: "", ...chosen } };
  } finally {
    parts.close();
  }
}

/** As many as a sheet of a spreadsheet has. */
const mostLines = 1_048_576;
const maxMerges = 100_000;

type OpenCell = { at: number; type: string; style: number; isFormula: boolean; value: string | undefined };
type Reading = { workbook: Workbook; maxLines: number };

async function readSheet(
  parts: XlsxPackage,
  part: string,
  { workbook, maxLines }: Reading,
): Promise<Omit<Sheet, "facts">> {
  const sheet: Omit<Sheet, "facts"> = { rows: [], hiddenColumns: new Set(), merges: [] };
  let [line, at, isValue, isHidden] = [0, -1, false, false];
  let cells: Cell[] = [];
  let cell: OpenCell | undefined;
  const inline = textReader();
  await parts.readAll(part, {
    opened(name, attributes) {
      inline.opened(name);
      if (name === "row") {
        const { r } = attributes;
        const before = line;
        [line, at, cells, isHidden] = [r === undefined ? line + 1 : Number(r), -1, [], isShut(attributes, "ht")];
        // Line numbers identify rows.
        if (!Number.isSafeInteger(line) || line <= before) throw damaged();
        if (line > mostLines) throw tooLarge();
      } else if (name === "c") {
        const { r, t = "n", s = "0" } = attributes;
        at = r === undefined ? at + 1 : columnAt(r);
        cell = { at, type: t, style: Number(s), isFormula: false, value: undefined };
      } else if (name === "f" && cell) cell.isFormula = true;
      else if (name === "v" && cell) [isValue, cell.value] = [true, ""];
      else if (name === "col" && isShut(attributes, "width")) hide(sheet.hiddenColumns, attributes);
      else if (name === "mergeCell") {
        if (sheet.merges.push(mergeOf(attributes["ref"] ?? "")) > maxMerges) throw tooLarge();
      }
    },
    text(text) {
      inline.text(text);
      if (isValue && cell) cell.value += text;
    },
    closed(name) {
      inline.closed(name);
      if (name === "v") isValue = false;
      else if (name === "c" && cell) {
        const text = cellOf(cell, inline.take(), workbook);
        if (text !== "") set(cells, cell.at, text);
        cell = undefined;
      } else if (name === "row" && cells.length > 0) {
        if (sheet.rows.push({ line, cells, isHidden }) > maxLines) throw tooManyLines(maxLines);
      }
    },
  });
  return sheet;
}

/** Whether a row or column is hidden, or of no size. */
const isShut = ({ hidden = "", ...attributes }: Record<string, string>, size: string) =>
  ["1", "true"].includes(hidden) || Number(attributes[size] ?? 1) === 0;

function hide(columns: Set<number>, { min = "", max = "" }: Record<string, string>) {
  for (let column = Number(min); column <= Math.min(Number(max), maxColumns); column++) columns.add(column - 1);
}

function set(cells: Cell[], at: number, cell: Cell) {
  if (at >= maxColumns) throw tooManyColumns();
  while (cells.length < at) cells.push("");
  cells[at] = cell;
}

/** The column of a reference, such as 27 of `AB12`. */
function columnAt(reference: string): number {
  const [, letters = ""] = /^([A-Z]{1,3})\d+$/.exec(reference) ?? [];
  if (!letters) throw damaged();
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function mergeOf(reference: string): Merge {
  const [first = "", last = first] = reference.replaceAll("$", "").split(":");
  const lineAt = (cell: string) => Number(/\d+$/.exec(cell)?.[0]);
  return { lines: [lineAt(first), lineAt(last)], columns: [columnAt(first), columnAt(last)] };
}

const noValue = "the formula has no value: open the file in a spreadsheet, save it, and choose it again";

function cellOf({ type, style, isFormula, value }: OpenCell, inline: string, workbook: Workbook): Cell {
  const code = workbook.formatCodes[style] ?? general;
  if (type === "inlineStr") return shownText(inline, code);
  if (value === undefined) return isFormula ? { refusal: noValue } : "";
  if (type === "e") return { refusal: `the cell shows an error (${value.slice(0, 20)}): correct it` };
  if (type === "s") {
    const text = workbook.sharedTexts[Number(value)];
    return text === undefined ? { refusal: "the cell’s text is missing in the file" } : shownText(text, code);
  }
  if (type === "b") return value === "1" ? "TRUE" : "FALSE";
  if (type !== "n" && type !== "d") return shownText(withoutEscapes(value), code);
  // A formula that gives no text is saved with an empty value.
  if (value.trim() === "") return isFormula ? { refusal: noValue } : "";
  const text = type === "d" ? shownDate(value, code) : shownNumber(Number(value), code, workbook.is1904);
  // Digits behind the fifteenth may differ from the typed ones.
  if (text && Math.abs(Number(value)) >= 1e15 && text.replaceAll(/[\s,.'’]/g, "").search(/\d{16}/) >= 0)
    return { refusal: tooManyDigits };
  return text ?? { refusal: refusalOf(Number(value), code) };
}

const tooManyDigits =
  "the number has more than 15 digits, which spreadsheets round: type it again with the format Text";

const refusalOf = (value: number, code: string) =>
  Number.isFinite(value)
    ? `the format “${code.slice(0, 40)}” can’t be read here: type what the cell shows, with the format Text`
    : "the cell’s number can’t be read";
