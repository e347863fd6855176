import { PDFBool, PDFDict, PDFDocument, PDFName, type PDFObject, PDFRef } from "@cantoo/pdf-lib";
import { PdfCopier, PdfTooLarge } from "../pdf/pdf-copier.ts";
import { dictionariesBelow } from "../pdf/pdf-entries.ts";
import type { PdfReader } from "../pdf/pdf-reader.ts";
import { idTree, parentTree, structureRoot } from "./tag-rules.ts";

const name = (text: string) => PDFName.of(text);
/** The cross-reference table of more would push the seal's places out of the end that is searched for them. */
const maxElements = 100_000;
/** So many elements take two thirds. */
const maxEntries = 3_000_000;
const roots = new WeakMap<PdfReader, Promise<PDFDict | undefined>>();

/** The root of a file's tags; undefined without any, or with too many to be kept. */
export function tagsOf(source: PdfReader): Promise<PDFDict | undefined> {
  if (!roots.has(source)) roots.set(source, findTags(source));
  return roots.get(source)!;
}

async function findTags(source: PdfReader): Promise<PDFDict | undefined> {
  const root = source.look(source.catalog.get(name("StructTreeRoot")));
  if (!(root instanceof PDFDict) || !root.has(name("K"))) return undefined;
  if (dictionariesBelow(source, [root], ["K"], maxElements + 1).length > maxElements) return undefined;
  const trial = await PDFDocument.create({ updateMetadata: false });
  try {
    copyTags(root, new PdfCopier(source, trial, 0, { copies: new AllCopies(), entries: maxEntries }));
    return root;
  } catch (error) {
    if (error instanceof PdfTooLarge) return undefined;
    throw error;
  }
}

/** As if everything was copied that tags can refer to, so that no copy takes more than the trial. */
class AllCopies extends Map<PDFObject, PDFRef> {
  override has = () => true;
  override get = () => PDFRef.of(1);
}

function copyTags(root: PDFDict, copier: PdfCopier): PDFRef {
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
  return ref;
}

/** Copies the tags of pages that were copied; returns the entries for the catalog. */
export async function keptTags(
  source: PdfReader,
  copier: PdfCopier,
  { context }: PDFDocument,
): Promise<Record<string, PDFObject>> {
  const root = await tagsOf(source);
  if (!root) return {};
  const mark = source.look(source.catalog.get(name("MarkInfo")));
  const isMarked = mark instanceof PDFDict && source.look(mark.get(name("Marked"))) === PDFBool.True;
  return {
    StructTreeRoot: copyTags(root, copier),
    ...(isMarked && { MarkInfo: context.obj({ Marked: true }) }),
  };
}
