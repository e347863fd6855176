import { PDFArray, PDFBool, PDFDict, type PDFDocument, PDFName, type PDFObject } from "@cantoo/pdf-lib";
import type { PdfCopier } from "../pdf/pdf-copier.ts";
import type { PdfReader } from "../pdf/pdf-reader.ts";
import { idTree, parentTree, structureRoot } from "./tag-rules.ts";

const name = (text: string) => PDFName.of(text);
/** The cross-reference table of more would push the seal's places out of the end that is searched for them. */
const maxElements = 100_000;

/** The root of a file's tags; undefined without any, or with too many to be kept. */
export function tagsOf(source: PdfReader): PDFDict | undefined {
  const root = source.look(source.catalog.get(name("StructTreeRoot")));
  if (!(root instanceof PDFDict) || !root.has(name("K"))) return undefined;
  const visited = new Set<PDFObject>();
  const open: PDFObject[] = [root];
  for (let next = open.pop(); next; next = open.pop()) {
    const object = source.look(next);
    if (!object || visited.has(object)) continue;
    if (object instanceof PDFArray) for (const kid of object.asArray()) open.push(kid);
    if (!(object instanceof PDFDict)) continue;
    visited.add(object);
    if (visited.size > maxElements || open.length > 10 * maxElements) return undefined;
    const kids = object.get(name("K"));
    if (kids) open.push(kids);
  }
  return root;
}

/** Copies the tags of pages that were copied. */
export function keepTags(source: PdfReader, copier: PdfCopier, { catalog, context }: PDFDocument): void {
  const root = tagsOf(source);
  if (!root) return;
  const copy = copier.dictionary(root, structureRoot);
  const ref = copier.place(copy);
  copier.copies.set(root, ref);
  copier.drain();
  for (const [key, rule] of [
    ["ParentTree", parentTree],
    ["IDTree", idTree],
  ] as const) {
    const tree = copier.copy(root.get(name(key)), rule);
    if (tree) copy.set(name(key), tree);
  }
  copier.drain();
  catalog.set(name("StructTreeRoot"), ref);
  const mark = source.look(source.catalog.get(name("MarkInfo")));
  const isMarked = mark instanceof PDFDict && source.look(mark.get(name("Marked"))) === PDFBool.True;
  if (isMarked) catalog.set(name("MarkInfo"), context.obj({ Marked: true }));
}
