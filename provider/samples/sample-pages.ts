import { PDFDocument, type PDFFont, type PDFPage, StandardFonts, rgb } from "@cantoo/pdf-lib";
import { embedFont, widthOf } from "#lib/page-files/fonts/embedded-font.ts";
import boldFile from "#lib/page-files/fonts/hanken-grotesk-bold.json" with { type: "json" };
import plainFile from "#lib/page-files/fonts/hanken-grotesk-regular.json" with { type: "json" };

/** Page files for the sample company's documents, generated so that none is in the repository. */

export type Sheet = { heading: string; lines: string[]; table?: [string, string][]; signed?: boolean };

const a4: [number, number] = [595.28, 841.89];
const margin = 64;
const ink = rgb(0.1, 0.12, 0.16);
const grey = rgb(0.45, 0.48, 0.53);

/** A PDF with a page for each sheet under the company's letterhead. */
export async function samplePdf(company: string, sheets: Sheet[]): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const plain = await pdf.embedFont(StandardFonts.Helvetica);
  const bold = await pdf.embedFont(StandardFonts.HelveticaBold);
  for (const [index, sheet] of sheets.entries()) {
    const page = pdf.addPage(a4);
    page.drawText(company, { x: margin, y: 780, size: 10, font: bold, color: grey });
    page.drawText(`${index + 1} / ${sheets.length}`, {
      x: a4[0] - margin - 24,
      y: 780,
      size: 10,
      font: plain,
      color: grey,
    });
    page.drawText(sheet.heading, { x: margin, y: 730, size: 20, font: bold, color: ink });
    let y = writeLines(page, plain, sheet.lines, 690);
    for (const [label, value] of sheet.table ?? []) {
      page.drawText(label, { x: margin, y, size: 11, font: plain, color: grey });
      page.drawText(value, { x: 230, y, size: 11, font: bold, color: ink });
      page.drawLine({
        start: { x: margin, y: y - 8 },
        end: { x: a4[0] - margin, y: y - 8 },
        thickness: 0.5,
        color: grey,
      });
      y -= 28;
    }
    if (sheet.signed) signatures(page, plain);
  }
  // Until here they only encode, as Windows-1252: other programs would draw Helvetica by another font.
  await pdf.flush();
  embedFont(pdf, plainFile, plain.ref);
  embedFont(pdf, boldFile, bold.ref);
  return pdf.save();
}

function writeLines(page: PDFPage, font: PDFFont, lines: string[], from: number) {
  let y = from;
  for (const line of lines) {
    for (const row of wrapped(line, font, 11, a4[0] - 2 * margin)) {
      page.drawText(row, { x: margin, y, size: 11, font, color: ink });
      y -= 17;
    }
    y -= 10;
  }
  return y;
}

function wrapped(text: string, font: PDFFont, size: number, width: number) {
  const rows = [""];
  for (const word of text.split(" ")) {
    const longer = `${rows.at(-1)} ${word}`.trim();
    if (widthOf(font.encodeText(longer).asBytes(), plainFile, size) > width) rows.push(word);
    else rows[rows.length - 1] = longer;
  }
  return rows;
}

function signatures(page: PDFPage, font: PDFFont) {
  for (const [x, who] of [
    [margin, "For the company"],
    [330, "For the other party"],
  ] as const) {
    page.drawLine({ start: { x, y: 170 }, end: { x: x + 190, y: 170 }, thickness: 0.8, color: ink });
    page.drawText(who, { x, y: 154, size: 9, font, color: grey });
    page.drawSvgPath("M0 0c12-26 18 6 30-12s14-8 20 2 22-20 34-2 12 4 26-6", {
      x: x + 12,
      y: 176,
      borderColor: rgb(0.14, 0.29, 0.6),
      borderWidth: 1.4,
    });
  }
}
