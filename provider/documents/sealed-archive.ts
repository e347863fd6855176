import type { Selectable } from "kysely";
import { isAmong } from "../db/lists.ts";
import type { Tables } from "../db/tables.ts";
import { sealedKey } from "../files/derived-files.ts";
import { codeOrigins } from "../hosts/host-queries.ts";
import { freeNames, type Zipped } from "../files/zip.ts";
import type { Services } from "../services.ts";

/** Archives of sealed PDFs that are stored already. */

type Document = Pick<
  Selectable<Tables["documents"]>,
  "id" | "company_id" | "host_id" | "number" | "folder" | "qr_placing" | "copies"
>;
type SealedCopy = Pick<Selectable<Tables["sealed_files"]>, "copy" | "sha256" | "bytes" | "made_at">;

/** A company's documents with the sealed PDFs of all their copies, as the documents are placed now; none if one of them is missing. */
export async function withSealed<D extends Document>(services: Services, documents: D[]) {
  const { db } = services;
  const codeOrigin = await codeOrigins(services, documents[0]?.company_id ?? 0);
  const ids = documents.map(({ id }) => id);
  const sealed = await db
    .selectFrom("sealed_files")
    .where(isAmong(db, "document_id", ids))
    .orderBy("copy")
    .select(["document_id", "qr_placing", "public_url", "copy", "sha256", "bytes", "made_at"])
    .execute();
  const byPlacing = Map.groupBy(
    sealed,
    ({ document_id, qr_placing, public_url }) => `${document_id} ${qr_placing} ${public_url}`,
  );
  return documents.map((document) => {
    const files = byPlacing.get(`${document.id} ${document.qr_placing} ${codeOrigin(document)}`) ?? [];
    return { ...document, files: files.length === document.copies ? files : [] };
  });
}

/** A sealed PDF in an archive. */
export type ArchivedPdf = Zipped & Pick<SealedCopy, "copy" | "sha256"> & Pick<Document, "id">;

/** The files of an archive, with names that differ. */
export function archived(
  documents: (Pick<Document, "id" | "number" | "folder" | "copies"> & { files: SealedCopy[] })[],
) {
  const freeName = freeNames();
  return documents.flatMap(({ files, ...document }) =>
    files.map(({ copy, sha256, bytes, made_at }): ArchivedPdf => {
      const name = freeName(sealedName(document, copy), ".pdf");
      const key = sealedKey(document.folder, sha256);
      return { id: document.id, copy, sha256, key, bytes, name, at: new Date(made_at) };
    }),
  );
}

/** `NM-4C7H29`, or `NM-4C7H29 copy 2 of 3` */
export const sealedName = ({ number, copies }: Pick<Document, "number" | "copies">, copy: number) =>
  copies === 1 ? number : `${number} copy ${copy} of ${copies}`;
