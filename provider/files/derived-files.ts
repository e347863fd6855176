import { Failures } from "#lib/page-files/process/failures.ts";
import { type PageImageSize, edition, type FileType } from "#lib/page-files/file-types.ts";
import { derivedFile, storedPageImage } from "#lib/page-files/derived-files.ts";
import type { Requester } from "#lib/page-files/process/requesters.ts";
import type { Services } from "../services.ts";

/** Files derived from page files, by their keys in the store. Uploaded bytes are never served. */

type PageFileRow = { n: number; type: FileType };

/** The key of a page file as it was uploaded. */
export const pageKey = (folder: string, n: number) => `${folder}/${n}`;

/** The key of a sealed PDF (`seal/sealed-files.ts`), which is no derived file: it can't be made again. */
export const sealedKey = (folder: string, sha256: string) => `${folder}/sealed-${sha256}.pdf`;

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
