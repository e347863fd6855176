import { dataMatrixSide } from "./data-matrix.ts";
import { type LabelText, linesOf } from "./label-text.ts";
import { qrModules } from "../seal/qr.ts";
import { quietModules } from "../seal/stamp-place.ts";

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
const minModuleMillimetres = 0.25;
export const pointsPerMillimetre = 72 / 25.4;
/** A code that is larger than phones need leaves the room to the text. */
const maxCodeMillimetres = 45;
const marginMillimetres = 1.5;

/** The code's kind. */
export type Symbology = "qr" | "data-matrix";
/** Modules of white around it. */
export const quietZone = (symbology: Symbology) => (symbology === "qr" ? quietModules : 2);

/** The side of the smallest label for a code, in millimetres, with its quiet zone. */
export function smallestSide(address: string, symbology: Symbology = "qr") {
  const side = symbology === "qr" ? qrModules(address).size : dataMatrixSide(address);
  return (side + 2 * quietZone(symbology)) * minModuleMillimetres;
}

type Look = { symbology: Symbology; hasLogo: boolean };

/** The lines of text for which a label of a sheet has room. */
export function labelLines(
  label: Label,
  { labelWidth, labelHeight }: Sheet,
  { symbology, hasLogo }: Look = { symbology: "qr", hasLogo: false },
): string[] {
  const { text } = layout(labelWidth, labelHeight, smallestSide(label.address, symbology), hasLogo);
  return linesOf(label, text).map(({ letters }) => letters.map(({ character }) => character).join(""));
}

export type TextBox = { besideCode: boolean; x: number; top: number; width: number; height: number };

type Layout = { side: number; text: TextBox; logo?: { top: number; height: number } };

/** A logo in points: of less text it would leave nothing. */
const logoShare = { least: 30, share: 0.3, most: 28, gap: 3 };

/** The code's side in millimetres, and the boxes for the text and a logo above it in points. */
export function layout(width: number, height: number, smallest: number, hasLogo = false): Layout {
  const { side, text } = codeAndText(width, height, smallest);
  if (!hasLogo || text.height < logoShare.least) return { side, text };
  const logo = { top: text.top, height: Math.min(text.height * logoShare.share, logoShare.most) };
  const used = logo.height + logoShare.gap;
  return { side, text: { ...text, top: text.top - used, height: text.height - used }, logo };
}

function codeAndText(width: number, height: number, smallest: number): { side: number; text: TextBox } {
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
