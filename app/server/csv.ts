/** A column of a CSV file: its heading, and a row's text or number in it. */
export type CsvColumn<Row> = { label: string; value(row: Row): string | number };

/**
 * What a spreadsheet would take for a formula: what begins with one of its characters, be it after spaces, quotes or
 * other marks that it drops. A text that we could have marked ourselves counts as well, so that none is ambiguous.
 */
const formula = /^(?:[\s"'\p{Cf}]*[=+\-@＝＋－＠]|'*[\t\r\n])/u;

/** A cell (RFC 4180), always in quotes. A text that could be a formula gets an apostrophe in front; a number is none. */
export function csvCell(value: string | number) {
  const text = String(value);
  const isFormula = typeof value === "string" && formula.test(text);
  return `"${(isFormula ? `'${text}` : text).replaceAll('"', '""')}"`;
}

const csvLine = (cells: (string | number)[]) => `${cells.map(csvCell).join(",")}\r\n`;

/** By this, spreadsheets know that the file is UTF-8. */
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
