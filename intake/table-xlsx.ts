import { posix } from "node:path";
import { type Cell, damaged, maxColumns, type SheetRow, TableRefused, tooManyColumns } from "./table-shape.ts";
import { type NumberFormat, numberFormat, numberText } from "./xlsx-numbers.ts";
import { tooLarge, XlsxPackage } from "./xlsx-package.ts";

type Workbook = { sharedTexts: string[]; formats: NumberFormat[]; is1904: boolean };

/** Reads a sheet by name, or the first. */
export async function readXlsx(path: string, sheet?: string) {
  return { rows: rowsOf(path, sheet), format: "xlsx" as const };
}

async function* rowsOf(path: string, sheet: string | undefined): AsyncGenerator<SheetRow> {
  const parts = await XlsxPackage.open(path);
  try {
    const { sheetPart, is1904 } = await readWorkbook(parts, sheet);
    const formats = await readFormats(parts);
    const sharedTexts = await readSharedTexts(parts);
    yield* readSheet(parts, sheetPart, { sharedTexts, formats, is1904 });
  } finally {
    parts.close();
  }
}

async function readWorkbook(parts: XlsxPackage, wanted: string | undefined) {
  const sheets: { name: string; id: string }[] = [];
  const targets = new Map<string, string>();
  let is1904 = false;
  await parts.readAll("xl/workbook.xml", {
    opened(name, { name: sheetName = "", id = "", date1904 = "" }) {
      if (name === "workbookPr") is1904 = ["1", "true"].includes(date1904);
      if (name === "sheet") sheets.push({ name: sheetName, id });
    },
  });
  await parts.readAll("xl/_rels/workbook.xml.rels", {
    opened(name, { Id = "", Target = "" }) {
      if (name === "Relationship") targets.set(Id, Target);
    },
  });
  const found = wanted === undefined ? sheets[0] : sheets.find(({ name }) => name === wanted);
  if (!found && sheets[0]) throw new TableRefused(`The file has no sheet “${wanted}”`);
  const target = targets.get(found?.id ?? "");
  if (target === undefined) throw damaged();
  const sheetPart = posix.resolve("/xl", target).slice(1);
  if (!parts.has(sheetPart)) throw damaged();
  return { sheetPart, is1904 };
}

const maxFormats = 70_000;

async function readFormats(parts: XlsxPackage): Promise<NumberFormat[]> {
  const formats: NumberFormat[] = [];
  if (!parts.has("xl/styles.xml")) return formats;
  const codes = new Map<number, string>();
  let isOfCells = false;
  await parts.readAll("xl/styles.xml", {
    opened(name, { numFmtId = "0", formatCode = "" }) {
      if (name === "numFmt") codes.set(Number(numFmtId), formatCode);
      if (name === "cellXfs") isOfCells = true;
      if (name === "xf" && isOfCells) formats.push(numberFormat(Number(numFmtId), codes.get(Number(numFmtId))));
      if (formats.length > maxFormats || codes.size > maxFormats) throw damaged();
    },
    closed(name) {
      if (name === "cellXfs") isOfCells = false;
    },
  });
  return formats;
}

const maxSharedTexts = 1_000_000;
const maxSharedCharacters = 40_000_000;

async function readSharedTexts(parts: XlsxPackage): Promise<string[]> {
  const texts: string[] = [];
  if (!parts.has("xl/sharedStrings.xml")) return texts;
  let characters = 0;
  const reader = textReader();
  await parts.readAll("xl/sharedStrings.xml", {
    ...reader,
    closed(name) {
      reader.closed(name);
      if (name !== "si") return;
      const text = reader.take();
      characters += text.length;
      if (texts.push(text) > maxSharedTexts || characters > maxSharedCharacters) {
        throw new TableRefused("The file has too much text: keep only the sheet and the rows that are needed");
      }
    },
  });
  return texts;
}

/** Collects the text of `<t>` elements, without how it is pronounced. */
function textReader() {
  let [collected, isText, isSpoken] = ["", false, false];
  return {
    opened(name: string) {
      if (name === "rPh") isSpoken = true;
      if (name === "t") isText = !isSpoken;
    },
    text(text: string) {
      if (isText) collected += text;
    },
    closed(name: string) {
      if (name === "rPh") isSpoken = false;
      if (name === "t") isText = false;
    },
    take() {
      const text = collected.replace(/_x([\dA-F]{4})_/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
      collected = "";
      if (text.includes("\0")) throw damaged();
      return text.toWellFormed();
    },
  };
}

/** As many as a sheet of a spreadsheet has. */
const mostLines = 1_048_576;

type OpenCell = { at: number; type: string; style: number; isFormula: boolean; value: string | undefined };

async function* readSheet(parts: XlsxPackage, part: string, workbook: Workbook): AsyncGenerator<SheetRow> {
  let done: SheetRow[] = [];
  let [line, at, isValue] = [0, -1, false];
  let cells: Cell[] = [];
  let cell: OpenCell | undefined;
  const inline = textReader();
  const reading = parts.read(part, {
    opened(name, { r, t = "n", s = "0" }) {
      inline.opened(name);
      if (name === "row") {
        const before = line;
        [line, at, cells] = [r === undefined ? line + 1 : Number(r), -1, []];
        // Rows are told apart by their lines.
        if (!Number.isSafeInteger(line) || line <= before) throw damaged();
        if (line > mostLines) throw tooLarge();
      } else if (name === "c") {
        at = r === undefined ? at + 1 : columnAt(r);
        cell = { at, type: t, style: Number(s), isFormula: false, value: undefined };
      } else if (name === "f" && cell) cell.isFormula = true;
      else if (name === "v" && cell) [isValue, cell.value] = [true, ""];
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
      } else if (name === "row") done.push({ line, cells });
    },
  });
  for await (const _ of reading) {
    yield* done;
    done = [];
  }
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

const noValue = "the formula has no value: open the file in a spreadsheet, save it, and choose it again";

function cellOf({ type, style, isFormula, value }: OpenCell, inline: string, workbook: Workbook): Cell {
  if (type === "inlineStr") return inline;
  if (value === undefined) return isFormula ? { refusal: noValue } : "";
  if (type === "e") return { refusal: `the cell shows an error (${value.slice(0, 20)}): correct it` };
  if (type === "s") return workbook.sharedTexts[Number(value)] ?? { refusal: "the cell’s text is missing in the file" };
  if (type === "b") return value === "1" ? "TRUE" : "FALSE";
  if (type === "n") {
    // A formula that gives no text is saved with an empty value.
    if (value.trim() === "") return isFormula ? { refusal: noValue } : "";
    const format = workbook.formats[style] ?? numberFormat(0);
    return numberText(Number(value), format, workbook.is1904) ?? { refusal: "the cell’s number can’t be read" };
  }
  const escaped = textReader();
  escaped.opened("t");
  escaped.text(value);
  return escaped.take();
}
