import {
  beginMarkedContent,
  concatTransformationMatrix,
  drawObject,
  endMarkedContent,
  PDFName,
  PDFNumber,
  type PDFDocument,
  type PDFPage,
  PDFRawStream,
  type PDFRef,
  popGraphicsState,
  pushGraphicsState,
} from "@cantoo/pdf-lib";
import { embedFont } from "../fonts/embedded-font.ts";
import courier from "../fonts/courier-prime-bold.json" with { type: "json" };
import type { Placing } from "../file-types.ts";
import { stampRoom } from "./stamp-content.ts";
import { pointsPerMillimetre, sideOf, stampBox, stampPlace } from "./stamp-place.ts";

/**
 * The positions of codes, and the characters printed below them. `sizes` are those of the plain and of the signed code, in
 * modules: what they say is put in once the rest of the file is known, because the signed one states its digest.
 */
export type Stamp = { code: string; placing: Placing; sizes: { plain: number; signed: number } };

/** The form that all stamped pages show, and whether it is large enough for the signed code. */
export type PlacedStamp = { ref: PDFRef; form: PDFRawStream; isSigned: boolean };

/** Two of three decoders read no denser code that is out of focus by 0.25 mm (`damaged-codes.test.ts`). */
const minModuleMillimetres = 0.56;

/** Shows one stamp, still without its content, at a visible place of pages, whatever their rotation. */
export function stampPages(document: PDFDocument, pages: PDFPage[], { code, placing, sizes }: Stamp): PlacedStamp {
  const seen = pages.map((page) => seenPage(page));
  const isSigned = seen.every((page) => {
    const millimetres = (sideOf(page, placing) * page.unit) / pointsPerMillimetre;
    return millimetres / sizes.signed >= minModuleMillimetres;
  });
  const size = isSigned ? sizes.signed : sizes.plain;
  const characters = placing.isBare ? "" : code;
  const box = stampBox(size, characters);
  const form = formOf(document, size, box);
  const ref = document.context.register(form);
  for (const [n, page] of pages.entries()) {
    const { x, y, module } = stampPlace(seen[n]!, placing, size, characters);
    page.pushOperators(
      beginMarkedContent("Artifact"),
      pushGraphicsState(),
      concatTransformationMatrix(...seen[n]!.matrix),
      concatTransformationMatrix(module, 0, 0, module, x, y),
      drawObject(page.node.newXObject("SealdeskStamp", ref)),
      popGraphicsState(),
      endMarkedContent(),
    );
  }
  return { ref, form, isSigned };
}

/** A form of blanks, which clips to its box whatever is put in. */
function formOf(document: PDFDocument, size: number, box: Size) {
  const dictionary = document.context.obj({
    Type: "XObject",
    Subtype: "Form",
    BBox: [0, 0, box.width, box.height],
    Resources: { Font: { Code: embedFont(document, courier) } },
  });
  return PDFRawStream.of(dictionary, Buffer.alloc(stampRoom(size), " "));
}

type Matrix = [number, number, number, number, number, number];

/** The page as viewed: its size in user units, their length in points, and the mapping to unrotated coordinates. */
export function seenPage(page: PDFPage) {
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
