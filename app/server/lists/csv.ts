/** A column of a CSV file: its heading, and a row's text or number in it. */
export type CsvColumn<Row> = { label: string; value(row: Row): string | number };

/**
 * Where a spreadsheet could begin a cell with a formula: at the start of a text and, as programs that separate cells by
 * semicolons or tabs don't see our quotes, behind those and line ends within it. They drop spaces, quotes and marks
 * without width that stand before it. An apostrophe of the text itself counts as one of ours, so that none is ambiguous.
 */
const formulaStarts = /(?<=^|[;\t\r\n])(?=(?:[^\S\t\r\n]|["'\p{Cf}])*[=+\-@＝＋－＠])|^(?='*[\t\r\n])/gu;

/** A cell (RFC 4180), always in quotes. A text gets an apostrophe wherever it could become a formula; a number is none. */
export function csvCell(value: string | number) {
  const text = typeof value === "string" ? value.replace(formulaStarts, "'") : String(value);
  return `"${text.replaceAll('"', '""')}"`;
}

const csvLine = (cells: (string | number)[]) => `${cells.map(csvCell).join(",")}\r\n`;

/**
 * By this, spreadsheets know that the file is UTF-8. A first line `sep=,` would have Excel read commas everywhere, but then
 * ignore this mark, and other programs take it for a row.
 */
const byteOrderMark = "\uFEFF";

/** A CSV file piece by piece: its heading with the first chunk of rows, then each chunk as it is asked for. */
export async function* csvPieces<Row>(columns: CsvColumn<Row>[], chunks: AsyncIterable<Row[]>): AsyncGenerator<string> {
  let piece = byteOrderMark + csvLine(columns.map(({ label }) => label));
  for await (const rows of chunks) {
    piece += rows.map((row) => csvLine(columns.map(({ value }) => value(row)))).join("");
    yield piece;
    piece = "";
  }
  if (piece) yield piece;
}
