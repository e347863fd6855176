import { byteOrderMark, csvLine } from "#lib/intake/tables/csv-line.ts";

export type CsvColumn<Row> = { label: string; value(row: Row): string | number };

/** A file's columns by name, among them all that its list can show. */
export type CsvColumns<Row, Shown extends string> = Record<Shown, CsvColumn<Row>> & Record<string, CsvColumn<Row>>;

export async function* csvPieces<Row>(columns: CsvColumn<Row>[], chunks: AsyncIterable<Row[]>): AsyncGenerator<string> {
  let piece = byteOrderMark + csvLine(columns.map(({ label }) => label));
  for await (const rows of chunks) {
    piece += rows.map((row) => csvLine(columns.map(({ value }) => value(row)))).join("");
    yield piece;
    piece = "";
  }
  if (piece) yield piece;
}
