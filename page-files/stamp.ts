import {
  type PDFPage,
  StandardFonts,
  beginText,
  concatTransformationMatrix,
  endText,
  fill,
  moveText,
  popGraphicsState,
  pushGraphicsState,
  rectangle,
  setFillingGrayscaleColor,
  setFontAndSize,
  showText,
  PDFName,
  PDFNumber,
} from "@cantoo/pdf-lib";
import type { Placing } from "./kinds.ts";
import { qrModules, quietModules } from "./qr.ts";

/** The address in the QR code, the characters printed below it, and their placing. */
export type Stamp = { url: string; code: string; placing: Placing };

const pointsPerMillimetre = 72 / 25.4;
/** Between the page's edges and the stamp. */
const marginMillimetres = 8;

/** Draws the code, its quiet zone and its characters in a visible corner of a page, whatever its rotation. */
export function stampPage(page: PDFPage, { url, code, placing }: Stamp) {
  const { size, dark } = qrModules(url);
  const seen = seenPage(page);
  const points = (millimetres: number) => (millimetres * pointsPerMillimetre) / seen.unit;
  // On a small page, at most half of the shorter side.
  const side = Math.min(points(placing.millimetres), Math.min(seen.width, seen.height) / 2);
  const module = side / size;
  const quiet = quietModules * module;
  // Courier's glyphs are 0.6 em wide; the line is as wide as the code.
  const letters = side / code.length / 0.6;
  const box = { width: side + 2 * quiet, height: side + 2 * quiet + letters };
  const [x, y] = cornerOf(placing.corner, seen, box, Math.min(points(marginMillimetres), side / 3));
  const [codeX, codeY] = [x + quiet, y + quiet + letters];

  const font = page.doc.embedStandardFont(StandardFonts.CourierBold);
  const fontKey = page.node.newFontDictionary("SealdeskCode", font.ref);
  const rows = Array.from({ length: size }, (_, row) =>
    darkRuns(size, (column) => dark(row, column)).map(([from, length]) =>
      rectangle(codeX + from * module, codeY + (size - 1 - row) * module, length * module, module),
    ),
  );
  page.pushOperators(
    pushGraphicsState(),
    concatTransformationMatrix(...seen.matrix),
    setFillingGrayscaleColor(1),
    rectangle(x, y, box.width, box.height),
    fill(),
    setFillingGrayscaleColor(0),
    ...rows.flat(),
    fill(),
    beginText(),
    setFontAndSize(fontKey, letters),
    moveText(codeX, y + quiet * 0.75),
    showText(font.encodeText(code)),
    endText(),
    popGraphicsState(),
  );
}

type Matrix = [number, number, number, number, number, number];

/** The page as viewed: its size in user units, their length in points, and the mapping to unrotated coordinates. */
function seenPage(page: PDFPage) {
  const { x, y, width, height } = page.getCropBox();
  const turn = ((page.getRotation().angle % 360) + 360) % 360;
  const matrices: Record<number, Matrix> = {
    0: [1, 0, 0, 1, x, y],
    90: [0, 1, -1, 0, x + width, y],
    180: [-1, 0, 0, -1, x + width, y + height],
    270: [0, -1, 1, 0, x, y + height],
  };
  const unit = page.node.lookup(PDFName.of("UserUnit"));
  const lying = turn % 180 !== 0;
  return {
    width: lying ? height : width,
    height: lying ? width : height,
    unit: unit instanceof PDFNumber ? unit.asNumber() : 1,
    matrix: matrices[turn] ?? matrices[0]!,
  };
}

type Size = { width: number; height: number };

function cornerOf(corner: Placing["corner"], page: Size, box: Size, margin: number): [number, number] {
  const x = corner.endsWith("left") ? margin : page.width - margin - box.width;
  const y = corner.startsWith("bottom") ? margin : page.height - margin - box.height;
  return [x, y];
}

/** The runs of dark modules in one row as [first column, length], so that no seam shows between neighbours. */
function darkRuns(size: number, dark: (column: number) => boolean) {
  const runs: [number, number][] = [];
  for (let column = 0; column < size; column++) {
    if (!dark(column)) continue;
    const last = runs.at(-1);
    if (last && last[0] + last[1] === column) last[1]++;
    else runs.push([column, 1]);
  }
  return runs;
}
