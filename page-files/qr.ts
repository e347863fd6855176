import QRCode from "qrcode";
import sharp from "sharp";

/** Modules of white that must surround a code for scanners to find it (ISO/IEC 18004). */
export const quietModules = 4;

/** The code of `text` as rows of dark modules. Level M: readable with 15 % of it damaged. */
export function qrModules(text: string) {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: "M" });
  const dark = (row: number, column: number) => modules.data[row * modules.size + column] === 1;
  return { size: modules.size, dark };
}

const pixelsPerModule = 12;

/** The code of `text` as a PNG for screens and print, 12 pixels a module, quiet zone included. */
export function qrPng(text: string): Promise<Buffer> {
  const { size, dark } = qrModules(text);
  const side = size + 2 * quietModules;
  const at = (place: number) => [Math.floor(place / side) - quietModules, (place % side) - quietModules] as const;
  const isDark = (row: number, column: number) =>
    Math.min(row, column) >= 0 && Math.max(row, column) < size && dark(row, column);
  const grey = Buffer.from(Array.from({ length: side * side }, (_, place) => (isDark(...at(place)) ? 0 : 255)));
  // A dot for each module, made larger: drawing every pixel by itself takes ten times as long.
  return sharp(grey, { raw: { width: side, height: side, channels: 1 } })
    .resize(side * pixelsPerModule, undefined, { kernel: "nearest" })
    .png({ compressionLevel: 6 })
    .toBuffer();
}
