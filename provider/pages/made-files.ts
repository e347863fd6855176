import { randomUUID } from "node:crypto";
import type { DrawnSize, Kind } from "#page-files/kinds.ts";
import { groupedCode } from "../codes.ts";
import { placingParts, placingSizes } from "../contract/document-options.ts";
import { pageFilesOf, verifyUrl } from "../db/documents.ts";
import type { Tables } from "../db/tables.ts";
import type { Services } from "../services.ts";

/** Files that are made of page files when they are first asked for, and kept: their keys in the store. */

type PageFileRow = { document_id: number; n: number; type: Kind };
type DocumentRow = { id: number; folder: string; code: string; qr_placing: string };

const pageKey = (folder: string, n: number) => `${folder}/${n}`;

/** The key of a page's drawing; `page` counts within its file. */
export const drawnKey = (folder: string, n: number, page: number, size: DrawnSize) =>
  `${pageKey(folder, n)}.${page}.${size}.webp`;

/** A drawing of one page of a page file. */
export function drawnPage(services: Services, folder: string, file: PageFileRow, page: number, size: DrawnSize) {
  const path = services.files.localPath(pageKey(folder, file.n));
  return made(services, drawnKey(folder, file.n, page, size), (to) =>
    services.pageFiles.draw({ path, type: file.type, page, size, to }),
  );
}

/** A page file without metadata, as others get it. The bytes as uploaded are shown to nobody. */
export function cleanedFile(services: Services, folder: string, file: PageFileRow) {
  const path = services.files.localPath(pageKey(folder, file.n));
  return made(services, `${pageKey(folder, file.n)}.clean`, (to) =>
    services.pageFiles.clean({ path, type: file.type, to }),
  );
}

/** The sealed PDF: all pages in order, with the QR code where the document's placing says. */
export function sealedPdf(services: Services, document: DocumentRow) {
  const { folder, code, qr_placing } = document;
  return made(services, `${folder}/sealed-${qr_placing.replaceAll(":", "-")}.pdf`, async (to) => {
    const rows = await pageFilesOf(services.db, document.id);
    const files = rows.map(({ n, type }) => ({ path: services.files.localPath(pageKey(folder, n)), type }));
    const parts = placingParts(qr_placing);
    const stamp = parts && {
      url: verifyUrl(services.publicUrl, code),
      code: groupedCode(code),
      placing: { corner: parts.corner, pages: parts.pages, millimetres: placingSizes[parts.size] },
    };
    await services.pageFiles.seal({ files, stamp, to });
  });
}

/** What is being made just now: a second asker waits for the first one's. */
const making = new Map<string, Promise<void>>();

async function made({ files }: Services, key: string, make: (to: string) => Promise<void>) {
  if (await files.exists(key)) return key;
  let work = making.get(key);
  if (!work) {
    work = makeAndKeep(files, key, make).finally(() => making.delete(key));
    making.set(key, work);
  }
  await work;
  return key;
}

async function makeAndKeep(files: Services["files"], key: string, make: (to: string) => Promise<void>) {
  const path = await files.workPath(randomUUID());
  await make(path);
  await files.adopt(key, path);
}

/** The page file `n` of a document, or undefined. */
export const pageFile = ({ db }: Services, documentId: number, n: number): Promise<Tables["page_files"] | undefined> =>
  db.selectFrom("page_files").selectAll().where("document_id", "=", documentId).where("n", "=", n).executeTakeFirst();
