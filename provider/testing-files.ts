import { degrees, PDFDocument } from "@cantoo/pdf-lib";
import sharp from "sharp";

/** Page files for tests, made on the spot. */

const orange = "#ffaa55";

export const pngFile = (width = 300, height = 400) =>
  sharp({ create: { width, height, channels: 3, background: orange } })
    .png()
    .toBuffer();

/** A photo as a phone takes it: lying on its side in the file, with the place where it was taken. */
export const photoFile = () =>
  sharp({ create: { width: 600, height: 400, channels: 3, background: orange } })
    .withExif({ IFD0: { Copyright: "EXIF-MARK" }, IFD3: { GPSLatitude: "53/1 28/1 50/1" } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();

/** A PDF with a page for each rotation given. */
export async function pdfFile(...rotations: number[]) {
  const pdf = await PDFDocument.create();
  pdf.setAuthor("AUTHOR-MARK");
  for (const angle of rotations) {
    const page = pdf.addPage([595, 842]);
    page.setRotation(degrees(angle));
    page.drawText("A page of text", { x: 50, y: 600 });
  }
  return Buffer.from(await pdf.save({ useObjectStreams: false }));
}

/** A PDF that asks for a password. */
export async function lockedPdfFile() {
  const pdf = await PDFDocument.create();
  pdf.addPage();
  pdf.encrypt({ userPassword: "secret", ownerPassword: "owner" });
  return Buffer.from(await pdf.save());
}

export const asFile = (content: Buffer, name: string, type = "application/octet-stream") =>
  new File([Uint8Array.from(content)], name, { type });
