/** Lines of CSV files for spreadsheets, which `readTable` reads as they were given. */

/** Places where spreadsheets may see formulas; some split cells at `;`, tabs and line ends in spite of quotes. */
const formulaStarts = /(?<=^|[;\t\r\n])(?=(?:[^\S\t\r\n]|["'\p{Cf}])*[=+\-@＝＋－＠])|^(?='*[\t\r\n])/gu;

/** The apostrophes that stand there then. */
const protections = /(?<=^|[;\t\r\n])'(?=(?:[^\S\t\r\n]|["'\p{Cf}])*[=+\-@＝＋－＠])|^'(?='*[\t\r\n])/gu;

/** A cell's text without the apostrophes of `csvCell`. */
export const unprotected = (text: string) => text.replace(protections, "");

/** Tells spreadsheets that the file is UTF-8. A first line `sep=,` would have Excel ignore it. */
export const byteOrderMark = "\uFEFF";

export function csvCell(value: string | number) {
  const text = typeof value === "string" ? value.replace(formulaStarts, "'") : String(value);
  return `"${text.replaceAll('"', '""')}"`;
}

export const csvLine = (cells: (string | number)[]) => `${cells.map(csvCell).join(",")}\r\n`;
