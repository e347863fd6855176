import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  type PDFObjectCopier,
  PDFRawStream,
  type PDFPage,
} from "@cantoo/pdf-lib";

/** What a PDF may carry besides what is seen on its pages, and which does not go to others. */

const name = (text: string) => PDFName.of(text);

/** Annotations that hold files, sounds, films or programs. */
const carriers = ["FileAttachment", "Sound", "Movie", "Screen", "RichMedia", "3D", "Popup"].map(name);
const hiddenInPages = ["AA", "AF", "Metadata", "PieceInfo", "B", "StructParents"].map(name);
const hiddenInAnnotations = ["AA", "AF", "Dest", "P", "Parent", "PA", "FS"].map(name);
const hiddenInStreams = ["AF", "Metadata", "PieceInfo"].map(name);

/** Takes metadata, scripts, attachments and everything but web links out of a document's pages, in place. */
export function removeHiddenParts(source: PDFDocument) {
  for (const [reference, object] of source.context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFRawStream)) continue;
    for (const key of hiddenInStreams) object.dict.delete(key);
    if (!isJpeg(object.dict)) continue;
    const bytes = withoutJpegMetadata(object.contents);
    source.context.assign(reference, PDFRawStream.of(object.dict, bytes));
  }
  for (const page of source.getPages()) cleanPage(page);
}

/** Whether a stream's one filter is that of JPEG, written alone or as a list. */
function isJpeg(dict: PDFDict) {
  const filter = dict.lookup(name("Filter"));
  const only = filter instanceof PDFArray && filter.size() === 1 ? filter.lookup(0) : filter;
  return only === name("DCTDecode");
}

function cleanPage(page: PDFPage) {
  for (const key of hiddenInPages) page.node.delete(key);
  const annotations = page.node.Annots();
  if (!annotations) return;
  const kept: PDFDict[] = [];
  for (let n = 0; n < annotations.size(); n++) {
    const annotation = annotations.lookupMaybe(n, PDFDict);
    if (!annotation || carriers.includes(annotation.lookup(name("Subtype")) as PDFName)) continue;
    for (const key of hiddenInAnnotations) annotation.delete(key);
    const action = annotation.lookup(name("A"));
    const opensPage = action instanceof PDFDict && action.get(name("S")) === name("URI") && !action.has(name("Next"));
    if (!opensPage) annotation.delete(name("A"));
    kept.push(annotation);
  }
  page.node.set(name("Annots"), page.doc.context.obj(kept));
}

/** Layers that the source hides stay hidden in `target`, whose other files may have brought layers too. */
export function copyLayers(source: PDFDocument, target: PDFDocument, copier: PDFObjectCopier) {
  const layers = source.catalog.lookup(name("OCProperties"));
  if (!(layers instanceof PDFDict)) return;
  const copy = copier.copy(layers);
  const existing = target.catalog.lookup(name("OCProperties"));
  if (!(existing instanceof PDFDict)) {
    target.catalog.set(name("OCProperties"), copy);
    return;
  }
  append(existing, copy, "OCGs");
  const [shown, added] = [existing.lookup(name("D")), copy.lookup(name("D"))];
  if (shown instanceof PDFDict && added instanceof PDFDict) append(shown, added, "OFF");
}

function append(to: PDFDict, from: PDFDict, key: string) {
  const added = from.lookup(name(key));
  if (!(added instanceof PDFArray)) return;
  const list = to.lookup(name(key));
  if (list instanceof PDFArray) for (const item of added.asArray()) list.push(item);
  else to.set(name(key), added);
}

/** A JPEG without EXIF, XMP and comments; the JFIF, colour profile and Adobe segments that drawing needs stay. */
export function withoutJpegMetadata(jpeg: Uint8Array): Uint8Array {
  const view = new DataView(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength);
  const kept: Uint8Array[] = [jpeg.subarray(0, 2)];
  let at = 2;
  while (at + 4 <= jpeg.length && jpeg[at] === 0xff) {
    const marker = jpeg[at + 1]!;
    // From "start of scan" on there is picture alone.
    if (marker === 0xda) break;
    const end = at + 2 + view.getUint16(at + 2);
    const isMetadata = (marker >= 0xe1 && marker <= 0xef && marker !== 0xe2 && marker !== 0xee) || marker === 0xfe;
    if (!isMetadata) kept.push(jpeg.subarray(at, end));
    at = end;
  }
  kept.push(jpeg.subarray(at));
  return Buffer.concat(kept);
}
