import { PDFDocument } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { readByZxing } from "../fixtures/qr-decoders.ts";
import { asFile } from "../fixtures/files.ts";

/** Page files to choose in a form, as Playwright takes them. */
type Chosen = { name: string; mimeType: string; buffer: Buffer };

export async function pdf(name: string, pages = 1): Promise<Chosen> {
  const document = await PDFDocument.create();
  for (let n = 1; n <= pages; n++) document.addPage([595, 842]).drawText(`${name}, page ${n}`, { x: 60, y: 700 });
  return { name, mimeType: "application/pdf", buffer: Buffer.from(await document.save()) };
}

/** A page with lines of text, the first one as its heading. */
export async function textPdf(name: string, [heading = "", ...lines]: string[]): Promise<Chosen> {
  const document = await PDFDocument.create();
  const page = document.addPage([595, 842]);
  page.drawText(heading, { x: 60, y: 760, size: 20 });
  for (const [n, line] of lines.entries()) page.drawText(line, { x: 60, y: 720 - n * 20, size: 11 });
  return { name, mimeType: "application/pdf", buffer: Buffer.from(await document.save()) };
}

export async function picture(name: string, colour = "#88aacc"): Promise<Chosen> {
  const drawn = sharp({ create: { width: 600, height: 800, channels: 3, background: colour } });
  const isPng = name.endsWith(".png");
  const buffer = await (isPng ? drawn.png() : drawn.jpeg()).toBuffer();
  return { name, mimeType: isPng ? "image/png" : "image/jpeg", buffer };
}

/** A picture of about so many bytes: a PNG may be followed by anything. */
export async function paddedPicture(name: string, bytes: number): Promise<Chosen> {
  const drawn = await picture(name);
  return { ...drawn, buffer: Buffer.concat([drawn.buffer, Buffer.alloc(bytes)]) };
}

/** The same file for a form client. */
export const asUpload = ({ name, buffer }: Chosen) => asFile(buffer, name);

export const program = (name: string): Chosen => ({
  name,
  mimeType: "image/png",
  buffer: Buffer.from("MZ\x90\0 not a picture"),
});

/** Returns the text of a QR code in a picture, or undefined. */
export async function readQr(image: Buffer): Promise<string | undefined> {
  return (await readByZxing(image))[0];
}
