import type { PDFiumDocument } from "@hyzyla/pdfium";
import type { Rejection } from "../file-types.ts";
import { forbiddenByPassword } from "../pdf/pdf.ts";
import { PdfReader } from "../pdf/pdf-reader.ts";
import { bytesByPdfium } from "../pdf/pdfium-copy.ts";
import { ContentBesidePages } from "./content-beside-pages.ts";
import { fixedFields, lostNote, lostNoteAmongOthers, listed } from "./notes.ts";

/** Notes on a PDF before a page of it is drawn, or why its pages are not the document. */
export async function notesBeside(document: PDFiumDocument): Promise<{ notes: string[] } | Rejection> {
  const pdf = new ContentBesidePages(new PdfReader(bytesByPdfium(document)), document.getPageCount());
  const refused = pdf.portfolio() ?? pdf.xfa();
  if (refused) return { refused };
  const more = (things: string[], of = lostNote, verb = "has") =>
    things.length > 0 ? [`${verb} ${listed(things)}, ${of}`] : [];
  const { lost, keptAlone } = await pdf.structure();
  const files = pdf.files();
  const forbidden = forbiddenByPassword(document);
  const password = forbidden.length > 0 ? [`an owner password that forbids ${listed(forbidden)}`] : [];
  return {
    notes: [
      ...more(pdf.signatures()),
      ...more(files.lost, lostNote, "contains"),
      ...more(pdf.comments(), "whose text the sealed PDF will not have"),
      ...more(pdf.media(), "of which the sealed PDF has no more than a picture"),
      ...(pdf.hasFields() ? [fixedFields] : []),
      ...more(pdf.redactions(), "so that what they cover may still be in the file"),
      ...more(pdf.layers(), "which stay hidden in the sealed PDF"),
      ...more(pdf.overprints(), "which cover what is below them in the sealed PDF"),
      ...more(lost),
      ...more([...files.keptAlone, ...keptAlone], lostNoteAmongOthers),
      ...more(password),
    ],
  };
}
