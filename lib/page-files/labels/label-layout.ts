import { type LabelText, linesOf } from "./label-text.ts";
import { qrModules, quietModules } from "../seal/qr.ts";

/** In millimetres. */
export type Sheet = {
  pageWidth: number;
  pageHeight: number;
  columns: number;
  rows: number;
  labelWidth: number;
  labelHeight: number;
  marginLeft: number;
  marginTop: number;
  pitchX: number;
  pitchY: number;
};

/** One label: what its QR code says, and its texts. */
export type Label = LabelText & { address: string };

/** Of a printer or scanner with 300 dots per inch three dots: smaller modules blur. */
export const minModuleMillimetres = 0.25;
export const pointsPerMillimetre = 72 / 25.4;
/** A code that is larger than phones need leaves the room to the text. */
const maxCodeMillimetres = 45;
const marginMillimetres = 1.5;

/** The side of the smallest label for a code, in millimetres, with its quiet zone. */
export const smallestSide = (address: string) => (qrModules(address).size + 2 * quietModules) * minModuleMillimetres;

/** The lines of text for which a label of a sheet has room. */
export function labelLines(label: Label, { labelWidth, labelHeight }: Sheet): string[] {
  const { text } = layout(labelWidth, labelHeight, smallestSide(label.address));
  return linesOf(label, text).map(({ letters }) => letters.map(({ character }) => character).join(""));
}

export type TextBox = { besideCode: boolean; x: number; top: number; width: number; height: number };

/** The code's side in millimetres, and the box for the text in points. */
export function layout(width: number, height: number, smallest: number): { side: number; text: TextBox } {
  const inPoints = (box: TextBox) => ({
    besideCode: box.besideCode,
    x: box.x * pointsPerMillimetre,
    top: box.top * pointsPerMillimetre,
    width: Math.max(0, box.width * pointsPerMillimetre),
    height: Math.max(0, box.height * pointsPerMillimetre),
  });
  const inner = height - 2 * marginMillimetres;
  if (width >= 1.4 * height) {
    const side = Math.max(smallest, Math.min(height, width * 0.55, maxCodeMillimetres));
    const box = { x: side, top: height - marginMillimetres, width: width - side - marginMillimetres, height: inner };
    return { side, text: inPoints({ besideCode: true, ...box }) };
  }
  const side = Math.max(smallest, Math.min(width, height * 0.62));
  const box = { x: marginMillimetres, top: height - side, width: width - 2 * marginMillimetres };
  return { side, text: inPoints({ besideCode: false, ...box, height: height - side - marginMillimetres }) };
}
