export type CsvColumn<Row> = { label: string; value(row: Row): string | number };

/**
 * Positions where a spreadsheet could see a formula: at the start, and after semicolons, tabs and line ends, at which some
 * programs split cells in spite of quotes. Leading spaces, quotes and invisible characters do not hide one. Apostrophes of
 * the text itself are escaped as well.
 */
const formulaStarts = /(?<=^|[;\t\r\n])(?=(?:[^\S\t\r\n]|["'\p{Cf}])*[=+\-@＝＋－＠])|^(?='*[\t\r\n])/gu;

/** A quoted cell (RFC 4180), with an apostrophe wherever a text could become a formula. */
export function csvCell(value: string | number) {
  const text = typeof value === "string" ? value.replace(formulaStarts, "'") : String(value);
  return `"${text.replaceAll('"', '""')}"`;
}

const csvLine = (cells: (string | number)[]) => `${cells.map(csvCell).join(",")}\r\n`;

/** Tells spreadsheets that the file is UTF-8. A first line `sep=,` would have Excel ignore it. */
const byteOrderMark = "\uFEFF";

/** A CSV file in pieces, each read on demand: the headings with the first chunk, then each further chunk. */
export async function* csvPieces<Row>(columns: CsvColumn<Row>[], chunks: AsyncIterable<Row[]>): AsyncGenerator<string> {
  let piece = byteOrderMark + csvLine(columns.map(({ label }) => label));
  for await (const rows of chunks) {
    piece += rows.map((row) => csvLine(columns.map(({ value }) => value(row)))).join("");
    yield piece;
    piece = "";
  }
  if (piece) yield piece;
}
