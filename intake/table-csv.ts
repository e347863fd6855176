import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { damaged, maxColumns, type SheetRow, TableRefused, tooManyColumns } from "./table-shape.ts";

/** Reads delimited text; the separator and the encoding are found from its content. */
export async function readCsv(path: string) {
  const { text: whole, encoding } = decode(await readFile(path));
  if (whole.includes("\0")) throw damaged();
  // Spreadsheets write and hide this line.
  const [hint, hinted] = /^sep=([,;\t|])(?:\r\n?|\n)/i.exec(whole) ?? [];
  const text = hint ? whole.slice(hint.length) : whole;
  const separator = hinted ?? separatorOf(text);
  return { rows: rowsOf(text, separator, hint ? 1 : 0), format: "csv" as const, encoding, separator };
}

function decode(bytes: Buffer) {
  const encoding = encodingOf(bytes);
  return { text: new TextDecoder(encoding).decode(bytes), encoding };
}

const byteOrderMarks: [string, number[]][] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

function encodingOf(bytes: Buffer): string {
  const [marked] = byteOrderMarks.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte)) ?? [];
  if (marked) return marked;
  // Headings are mostly Latin letters, of which UTF-16 has a zero byte each.
  const start = bytes.subarray(0, 1000);
  const zeros = (parity: number) => start.filter((byte, at) => byte === 0 && at % 2 === parity).length;
  if (zeros(1) * 4 > start.length && zeros(0) === 0) return "utf-16le";
  if (zeros(0) * 4 > start.length && zeros(1) === 0) return "utf-16be";
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return "utf-8";
  } catch {
    return "windows-1252";
  }
}

const separators = [",", ";", "\t", "|"];

/** The separator that is most frequent outside of quotes in the first row that has one. */
function separatorOf(text: string): string {
  for (const line of firstRows(text)) {
    const counts = separators.map((separator) => line.split(separator).length - 1);
    const most = Math.max(...counts);
    if (most > 0) return separators[counts.indexOf(most)]!;
  }
  return ",";
}

/** The first rows without what is between quotes. */
function firstRows(text: string): string[] {
  const unquoted = text.slice(0, 100_000).replace(/"[^"]*(?:"|$)/g, "");
  return unquoted.split(/\r\n?|\n/, 20);
}

const sliceCharacters = 64 * 1024;
const maxRowCharacters = 1_000_000;

async function* rowsOf(text: string, delimiter: string, linesBefore: number): AsyncGenerator<SheetRow> {
  const parser = parse({
    delimiter,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: maxRowCharacters,
  });
  let line = linesBefore;
  try {
    for await (const cells of Readable.from(slices(text)).pipe(parser) as AsyncIterable<string[]>) {
      line++;
      if (cells.length > maxColumns && cells.slice(maxColumns).some((cell) => cell.trim())) throw tooManyColumns();
      yield { line, cells };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // Rows before it may wait to be read.
    const at = linesBefore + Number(error["records"]) + 1;
    if (error.code === "CSV_QUOTE_NOT_CLOSED") {
      throw new TableRefused(`Line ${at}: a quote is opened and not closed`);
    }
    throw new TableRefused(`Line ${at} can’t be read: check its quotes and separators`);
  }
}

function* slices(text: string) {
  for (let at = 0; at < text.length; at += sliceCharacters) yield text.slice(at, at + sliceCharacters);
}
