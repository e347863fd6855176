import { createHash } from "node:crypto";
import { type DrawnSize, edition, type Kind } from "#page-files/kinds.ts";
import { kept, keptDrawing } from "#page-files/kept.ts";
import { groupedCode } from "../codes.ts";
import { placingParts, placingSizes } from "../contract/document-options.ts";
import { pageFilesOf, verifyUrl } from "../db/documents.ts";
import type { Services } from "../services.ts";

/** What is made of a document's page files: keys in the store. The bytes as uploaded are shown to nobody. */

type PageFileRow = { n: number; type: Kind };
type DocumentRow = { id: number; folder: string; code: string; qr_placing: string };

/** Where a page file is kept as it was uploaded. */
export const pageKey = (folder: string, n: number) => `${folder}/${n}`;

/** A drawing of one page (from 1) of a page file. */
export const drawnPage = (services: Services, folder: string, file: PageFileRow, page: number, size: DrawnSize) =>
  keptDrawing(services, { key: pageKey(folder, file.n), type: file.type }, page, size);

/** A page file without metadata, as others get it. */
export function cleanedFile({ files, pageFiles }: Services, folder: string, { n, type }: PageFileRow) {
  const key = pageKey(folder, n);
  return kept(files, `${key}.clean-${edition}`, (to) =>
    files.atHand([key], ([path]) => pageFiles.clean({ path: path!, type, to })),
  );
}

/** The sealed PDF: all pages in order, with the QR code where the document's placing says. */
export function sealedPdf({ db, files, pageFiles, publicUrl }: Services, document: DocumentRow) {
  const { folder, code, qr_placing } = document;
  // Made anew where the public address, which is in the code, has changed since.
  const address = createHash("sha256").update(publicUrl).digest("hex").slice(0, 12);
  const placing = qr_placing.replaceAll(":", "-");
  return kept(files, `${folder}/sealed-${edition}-${placing}-${address}.pdf`, async (to) => {
    const rows = await pageFilesOf(db, document.id);
    const parts = placingParts(qr_placing);
    const stamp = parts && {
      url: verifyUrl(publicUrl, code),
      code: groupedCode(code),
      placing: { corner: parts.corner, pages: parts.pages, millimetres: placingSizes[parts.size] },
    };
    const keys = rows.map(({ n }) => pageKey(folder, n));
    await files.atHand(keys, (paths) =>
      pageFiles.seal({ files: rows.map(({ type }, index) => ({ path: paths[index]!, type })), stamp, to }),
    );
  });
}
