import { createHash } from "node:crypto";
import { Failures } from "#page-files/failures.ts";
import { type PageImageSize, edition, type Kind } from "#page-files/kinds.ts";
import { derivedFile, storedPageImage } from "#page-files/derived-files.ts";
import type { Requester } from "#page-files/requesters.ts";
import { groupedCode } from "../documents/codes.ts";
import { placingParts, placingSizes } from "../contract/document-options.ts";
import { pageFilesOf, verifyUrl } from "../db/documents.ts";
import type { Services } from "../services.ts";

/** Files derived from page files, by their keys in the store. Uploaded bytes are never served. */

type PageFileRow = { n: number; type: Kind };
type SealableDocument = { id: number; folder: string; code: string; qr_placing: string };

/** The key of a page file as it was uploaded. */
export const pageKey = (folder: string, n: number) => `${folder}/${n}`;

type PageDrawing = { folder: string; file: PageFileRow; page: number; size: PageImageSize };

/** The key of a drawing of one page (from 1) of a page file. */
export const drawnPage = (services: Services, requester: Requester, { folder, file, page, size }: PageDrawing) =>
  storedPageImage(services, requester, { key: pageKey(folder, file.n), type: file.type, page, size });

/** The key of a page file without its metadata. */
export function cleanedFile(services: Services, requester: Requester, folder: string, { n, type }: PageFileRow) {
  const { files } = services;
  const [source, key] = [pageKey(folder, n), `${pageKey(folder, n)}.clean-${edition}`];
  return derivedFile(services, requester, {
    key,
    failures: new Failures(files, key),
    make: (to, jobs) => files.withLocalPaths([source], ([path]) => jobs.clean({ path: path!, type, to })),
  });
}

/** The key of the sealed PDF: all pages in order, with the QR code stamped. */
export function sealedPdf(services: Services, requester: Requester, document: SealableDocument) {
  const { db, files, publicUrl } = services;
  const { folder, code, qr_placing } = document;
  // Made anew where the public address, which is in the code, has changed since.
  const address = createHash("sha256").update(publicUrl).digest("hex").slice(0, 12);
  const key = `${folder}/sealed-${edition}-${qr_placing.replaceAll(":", "-")}-${address}.pdf`;
  return derivedFile(services, requester, {
    key,
    failures: new Failures(files, key),
    async make(to, jobs) {
      const rows = await pageFilesOf(db, document.id);
      const parts = placingParts(qr_placing);
      const stamp = parts && {
        url: verifyUrl(publicUrl, code),
        code: groupedCode(code),
        placing: { corner: parts.corner, pages: parts.pages, millimetres: placingSizes[parts.size] },
      };
      const keys = rows.map(({ n }) => pageKey(folder, n));
      await files.withLocalPaths(keys, (paths) =>
        jobs.seal({ files: rows.map(({ type }, index) => ({ path: paths[index]!, type })), stamp, to }),
      );
    },
  });
}
