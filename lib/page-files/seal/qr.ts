import QRCode from "qrcode";
import { bitPng } from "./png.ts";
import { quietModules } from "./stamp-place.ts";

/** A signed code's digits. They need large modules more than redundancy: M is readable with 15 % of it damaged, Q with 25 %. */
const signedDigits = /\/\d{100,}$/;

/** The code of `text` as rows of dark modules: as few as possible, or a side of `size`. Throws if the text needs more. */
export function qrModules(text: string, size?: number) {
  const version = size === undefined ? {} : { version: (size - 17) / 4 };
  const errorCorrectionLevel = signedDigits.test(text) ? "M" : "Q";
  const { modules } = QRCode.create(text, { errorCorrectionLevel, ...version });
  const dark = (row: number, column: number) => modules.data[row * modules.size + column] === 1;
  return { size: modules.size, dark };
}

const pixelsPerModule = 12;

/** The code of `text` as a PNG for screens and print, 12 pixels a module, quiet zone included. */
export function qrPng(text: string): Buffer {
  const { size, dark } = qrModules(text);
  return bitPng(size + 2 * quietModules, pixelsPerModule, (row, column) => {
    const [y, x] = [row - quietModules, column - quietModules];
    return Math.min(x, y) >= 0 && Math.max(x, y) < size && dark(y, x);
  });
}
