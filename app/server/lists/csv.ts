export type CsvColumn<Row> = { label: string; value(row: Row): string | number };

/** Where spreadsheets may see formulas; some split cells at `;`, tabs and line ends in spite of quotes. */
const formulaStarts = /(?<=^|[;\t\r\n])(?=(?:[^\S\t\r\n]|["'\p{Cf}])*[=+\-@＝＋－＠])|^(?='*[\t\r\n])/gu;

export function csvCell(value: string | number) {
  const text = typeof value === "string" ? value.replace(formulaStarts, "'") : String(value);
  return `"${text.replaceAll('"', '""')}"`;
}

const csvLine = (cells: (string | number)[]) => `${cells.map(csvCell).join(",")}\r\n`;

/** Tells spreadsheets that the file is UTF-8. A first line `sep=,` would have Excel ignore it. */
const byteOrderMark = "\uFEFF";

export async function* csvPieces<Row>(columns: CsvColumn<Row>[], chunks: AsyncIterable<Row[]>): AsyncGenerator<string> {
  let piece = byteOrderMark + csvLine(columns.map(({ label }) => label));
  for await (const rows of chunks) {
    piece += rows.map((row) => csvLine(columns.map(({ value }) => value(row)))).join("");
    yield piece;
    piece = "";
  }
  if (piece) yield piece;
}
