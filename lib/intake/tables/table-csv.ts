import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { CsvError, parse, type Parser } from "csv-parse";
import { decodeText } from "./table-encodings.ts";
import {
  linesPerRow,
  maxColumns,
  type Sheet,
  type SheetRow,
  type TableReading,
  TableRefused,
  tooManyColumns,
  tooManyLines,
} from "./table-shape.ts";

/** Reads delimited text; the separator and the encoding follow from its content unless they are set. Throws `TableRefused`. */
export async function readCsv(
  path: string,
  { encoding: chosenEncoding, separator: chosen, language, maxRows }: TableReading & { maxRows: number },
): Promise<Sheet> {
  const { text: whole, encoding } = decodeText(await readFile(path), chosenEncoding, language);
  // Spreadsheets write and hide this line.
  const [hint, hinted] = /^sep=([,;\t|])(?:\r\n?|\n)/i.exec(whole) ?? [];
  const text = hint ? whole.slice(hint.length) : whole;
  const separator = separators.find((one) => one === chosen) ?? hinted ?? separatorOf(text);
  const rows = await readRows(text, { separator, linesBefore: hint ? 1 : 0, maxLines: maxRows * linesPerRow });
  const facts = { format: "csv" as const, encoding, separator, sheet: "", sheets: [] };
  return { rows, hiddenColumns: new Set(), merges: [], facts };
}

const separators = [",", ";", "\t", "|"];

/** The separator that is most frequent outside of quotes in the first row that has one. */
function separatorOf(text: string): string {
  for (const line of firstRows(text)) {
    const counts = separators.map((separator) => line.split(separator).length - 1);
    const highest = Math.max(...counts);
    if (highest > 0) return separators[counts.indexOf(highest)]!;
  }
  return ",";
}

/** The first rows without quoted text. */
function firstRows(text: string): string[] {
  const unquoted = text.slice(0, 100_000).replace(/"[^"]*(?:"|$)/g, "");
  return unquoted.split(/\r\n?|\n/, 20);
}

const sliceCharacters = 4 * 1024;
const maxRowCharacters = 1_000_000;

type Dialect = { separator: string; linesBefore: number; maxLines: number };

async function readRows(text: string, { separator, linesBefore, maxLines }: Dialect): Promise<SheetRow[]> {
  const parser = parse({
    delimiter: separator,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: maxRowCharacters,
  });
  const rows: SheetRow[] = [];
  let line = linesBefore;
  try {
    for await (const cells of Readable.from(slices(text, parser, linesBefore)).pipe(parser) as AsyncIterable<
      string[]
    >) {
      line++;
      if (line > maxLines) throw tooManyLines(maxLines);
      if (cells.findLastIndex((cell) => cell.trim()) >= maxColumns) throw tooManyColumns();
      rows.push({ line, cells: cells.slice(0, maxColumns) });
    }
    return rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // Rows before it may wait to be read.
    const at = linesBefore + Number(error["records"]) + 1;
    if (error.code === "CSV_QUOTE_NOT_CLOSED") {
      throw new TableRefused(`Line ${at}: a quote is opened and not closed`);
    }
    throw tooLong(at);
  }
}

const tooLong = (line: number) => new TableRefused(`Line ${line} can’t be read: check its quotes and separators`);

/** Ends before the parser holds a row of more characters: it counts those of cells, and not what stands between them. */
function* slices(text: string, parser: Parser, linesBefore: number) {
  let [records, sinceRow] = [0, 0];
  for (let at = 0; at < text.length; at += sliceCharacters) {
    if (parser.info.records !== records) [records, sinceRow] = [parser.info.records, 0];
    sinceRow += sliceCharacters;
    if (sinceRow > maxRowCharacters + sliceCharacters) return parser.destroy(tooLong(linesBefore + records + 1));
    yield text.slice(at, at + sliceCharacters);
  }
}
