import { readFile, rm } from "node:fs/promises";
import type { PDFiumDocument } from "@hyzyla/pdfium";
import sharp from "sharp";
import { align, type Aligned, DrawnPages } from "./align-pages.ts";
import { compose } from "../seal/compose.ts";
import { comparisonLimits } from "../file-types.ts";
import { alikeDistance, matchPages, type PagePair } from "./match-pages.ts";
import { withPdf } from "../pdf/pdf.ts";
import { processorTimer } from "../process/processor-time.ts";
import { type SignatureState, signatureState } from "../pdf/file-signature.ts";
import { pagesOf } from "../pdf/pdf-pages.ts";
import { PdfReader } from "../pdf/pdf-reader.ts";
import { bytesByPdfium } from "../pdf/pdfium-copy.ts";
import { isShownAlike } from "../text/shown-codes.ts";
import { type InvisibleKind, invisibleAdded } from "../notes/invisible-content.ts";
import type { PageUse } from "../fonts/page-use.ts";
import { namesOfUncontained, usesOfPages } from "../fonts/uncontained-fonts.ts";
import { hasUndecodedPictures, type PageUses, type Uncompared, uncomparedReason } from "../notes/uncompared.ts";
import type { Box, Drawing } from "./raster.ts";
import { isBlank, outlineDistance } from "./raster-match.ts";

/** Comparing a file with a document's sealed PDF, page by page, by how they look. */

/** The result for a page, each counted from 1: `page` in the document, `filePage` in the file. */
export type PageChange =
  | { change: "changed" | "moved"; page: number; filePage: number }
  | { change: "removed"; page: number }
  | { change: "added"; filePage: number };

/** A changed page, in the document and in the file: WebP as Base64, with a frame around what differs. */
export type PagePictures = { page: number; filePage: number; document: string; file: string };

export type Comparison = {
  /** Of the document and of the file. */
  pages: number;
  filePages: number;
  changes: PageChange[];
  /** Whether any page of the file looks like one of the document's. */
  isAlike: boolean;
  /** Content that only the file has, isn't drawn here and other programs may show (`invisible-content.ts`). */
  more: InvisibleKind[];
  signature: SignatureState;
  /** Pages that look the same here, or were not drawn, and may look different in other programs. */
  uncompared: ({ page: number; filePage: number } & Uncompared)[];
  pictures: PagePictures[];
};

/**
 * Local paths of both; `pictures` is how many changed pages are drawn at most, `seconds` the processor's after which no other
 * page is compared, or drawn.
 */
export type ComparisonJob = {
  path: string;
  sealed: string;
  pictures: number;
  seconds?: { comparing: number; pictures: number };
};

/** About half of the job's seconds (`page-files.ts`). */
const usualSeconds = { comparing: 45, pictures: 55 };

/** Compares two PDFs that can be opened. */
export const comparePdfs = ({ path, sealed, ...how }: ComparisonJob): Promise<Comparison> =>
  withPdf(path, (file) =>
    withPdf(sealed, async (document) => {
      const signature = signatureState(file, await readFile(path), document);
      // Before a page is drawn, with which PDFium adds appearances.
      const ofDocument = sideOf(document, comparisonLimits.pages);
      const ofFile = sideOf(file, comparisonLimits.pages + comparisonLimits.addedPages);
      const compare = (sealable?: PDFiumDocument) => compareSides(ofDocument, ofFile, { ...how, sealable });
      const isSealable =
        ofFile.uses.some((use) => use && hasOthersFonts(use)) &&
        !ofDocument.uses.some((use) => !use || hasOthersFonts(use));
      return { ...(await (isSealable ? withSealable(path, compare) : compare())), signature };
    }),
  );

type Side = { pdf: PDFiumDocument; source: PdfReader; uses: PageUses };

function sideOf(pdf: PDFiumDocument, maxPictures: number): Side {
  const source = new PdfReader(bytesByPdfium(pdf));
  return { pdf, source, uses: readableUses(source, maxPictures) };
}

const hasOthersFonts = (use: PageUse) => namesOfUncontained(use).length > 0;

/** Opens what would be sealed of a PDF, with our fonts if it names others but does not embed them: each program has its own. */
async function withSealable<T>(path: string, use: (sealable?: PDFiumDocument) => Promise<T>): Promise<T> {
  const to = `${path}.sealable`;
  try {
    const isWritten = await compose([{ path, type: "application/pdf" }], to).then(
      () => true,
      () => false,
    );
    return isWritten ? await withPdf(to, use) : await use();
  } finally {
    await rm(to, { force: true });
  }
}

type Compared = Omit<Comparison, "signature">;

type How = Omit<ComparisonJob, "path" | "sealed"> & { sealable: PDFiumDocument | undefined };

async function compareSides(
  document: Side,
  file: Side,
  { pictures: maxPictures, seconds = usualSeconds, sealable }: How,
): Promise<Compared> {
  const more = invisibleAdded(file.source, document.source);
  const [pages, filePages] = [document.pdf.getPageCount(), file.pdf.getPageCount()];
  const compared = Math.min(pages, comparisonLimits.pages);
  const addedAtMost = Math.min(Math.max(0, filePages - pages), comparisonLimits.addedPages);
  const comparedOfFile = Math.min(filePages, compared + addedAtMost);
  const drawn = { bytes: Buffer.alloc(0) };
  const sealableOf = (page: number) => (file.uses[page] && hasOthersFonts(file.uses[page]) ? sealable : undefined);
  const [ofDocument, ofFile] = [new DrawnPages(document.pdf, drawn), new DrawnPages(file.pdf, drawn, sealableOf)];
  const secondsSpent = processorTimer();
  const cache = new Map<string, Aligned>();
  const alignOnce = (pair: PagePair) => {
    const aligned = cache.get(String(pair)) ?? align(ofDocument, ofFile, pair);
    cache.set(String(pair), aligned);
    return aligned;
  };
  const withoutTime = new Set<number>();
  const isSame = (page: number, filePage: number) => {
    if (secondsSpent() < seconds.comparing) return alignOnce([page, filePage]).difference === undefined;
    return page === filePage && Boolean(withoutTime.add(page));
  };
  const distance = (page: number, filePage: number) => {
    const isDrawn = ofDocument.outlines.has(page) && ofFile.outlines.has(filePage);
    if (!isDrawn && secondsSpent() >= seconds.comparing) return 1;
    return outlineDistance(ofDocument.outline(page), ofFile.outline(filePage));
  };
  const matches = matchPages({ pages: compared, filePages: comparedOfFile, isSame, distance });
  const { same, moved, changed, removed } = matches;
  // Behind the last page that is compared of a long document there may be those of it that follow.
  const end = pages > compared ? 1 + Math.max(-1, ...[...same, ...changed].map(([, page]) => page)) : filePages;
  const added = matches.added.filter((page) => page < end);
  const isAlike =
    same.some(([page]) => !isBlank(ofDocument.outline(page))) ||
    changed.some((pair) => distance(...pair) < alikeDistance);
  const changes: PageChange[] = [
    ...changed.map(([page, filePage]) => ({ change: "changed" as const, page: page + 1, filePage: filePage + 1 })),
    ...moved.map(([page, filePage]) => ({ change: "moved" as const, page: page + 1, filePage: filePage + 1 })),
    ...removed.map((page) => ({ change: "removed" as const, page: page + 1 })),
    ...added.map((page) => ({ change: "added" as const, filePage: page + 1 })),
  ];
  const uses = [document.uses, file.uses] as const;
  const uncompared = [...uncomparedOf(ofFile, uses, { same, withoutTime }), ...beyond(pages, compared)];
  const pictures = [];
  for (const pair of isAlike ? changed.slice(0, maxPictures) : []) {
    if (secondsSpent() >= seconds.pictures) break;
    pictures.push(await picturesOf(ofDocument, ofFile, { pair, ...alignOnce(pair) }));
  }
  return { pages, filePages, changes, isAlike, more, uncompared, pictures };
}

/** The fonts and settings of pages; undefined for a file that programs may read differently. */
function readableUses(source: PdfReader, count: number) {
  const pages = pagesOf(source, count);
  return usesOfPages(source, count).map((use, n) => (isShownAlike(pages[n]!, n, source) ? use : undefined));
}

/** The pages (from 0) that look the same here but may differ elsewhere. */
function uncomparedOf(
  ofFile: DrawnPages,
  [document, file]: readonly [PageUses, PageUses],
  { same, withoutTime }: { same: PagePair[]; withoutTime: Set<number> },
) {
  const reasonOf = ([page, filePage]: PagePair): Uncompared | undefined => {
    if (withoutTime.has(page)) return { reason: "complex", names: [] };
    const reason = uncomparedReason(document, file, [page, filePage]);
    if (reason) return reason;
    if (!ofFile.isSharp(filePage)) return { reason: "small", names: [] };
    const isDecoded = !hasUndecodedPictures(ofFile.pdf, filePage, document[page]!);
    return isDecoded ? undefined : { reason: "pictures", names: [] };
  };
  return same
    .toSorted(([one], [other]) => one - other)
    .flatMap(([page, filePage]) => {
      const reason = reasonOf([page, filePage]);
      return reason ? { page: page + 1, filePage: filePage + 1, ...reason } : [];
    });
}

const beyond = (pages: number, compared: number): Comparison["uncompared"] =>
  compared < pages ? [{ page: compared + 1, filePage: compared + 1, reason: "beyond", names: [] }] : [];

async function picturesOf(
  document: DrawnPages,
  file: DrawnPages,
  { pair: [page, filePage], fit, difference }: Aligned & { pair: PagePair },
): Promise<PagePictures> {
  const one = document.keep(page);
  const pictures = { document: await framed(one, difference), file: "" };
  const way = fit ? { like: one, fit } : { like: one };
  pictures.file = await framed(file.keep(filePage, way), difference);
  return { page: page + 1, filePage: filePage + 1, ...pictures };
}

const pictureWidth = 620;
const frame = { width: 6, distance: 12 };

async function framed({ data, width, height }: Drawing, box: Box | undefined): Promise<string> {
  const { left, top, ...size } = box ?? { left: 0, top: 0, width, height };
  const [x, y] = [left - frame.distance, top - frame.distance];
  const [across, down] = [size.width + 2 * frame.distance, size.height + 2 * frame.distance];
  const scale = Math.min(pictureWidth / width, (pictureWidth * 2) / height);
  const scaled = { width: Math.max(1, Math.round(scale * width)), height: Math.max(1, Math.round(scale * height)) };
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${scaled.width}" height="${scaled.height}"
    viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">
    <rect x="${x}" y="${y}" width="${across}" height="${down}" fill="none" stroke="#b3261e" stroke-width="${frame.width}"/></svg>`;
  const small = sharp(data, { raw: { width, height, channels: 4 } }).resize(scaled.width, scaled.height, {
    fit: "fill",
  });
  const picture = small.composite([{ input: Buffer.from(svg) }]).removeAlpha();
  return (await picture.webp({ quality: 60 }).toBuffer()).toString("base64");
}
