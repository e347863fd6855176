import { fold } from "#lib/text.ts";
import type { Actor } from "../access.ts";
import { isAmong } from "../db/lists.ts";
import { sealedKey } from "../files/derived-files.ts";
import type { Zipped } from "../files/zip.ts";
import { conflict } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { bulkDocuments } from "./bulk-issue-replies.ts";

/** The sealed PDFs of a bulk issue's documents. Throws 409 until all are sealed; nothing is sealed for it. */
export async function sealedOf({ db, publicUrl, nudgeSealing }: Services, actor: Actor, id: number): Promise<Zipped[]> {
  const documents = await bulkDocuments(db, actor, id)
    .select(["documents.folder", "documents.qr_placing"])
    .orderBy("bulk_issue_rows.line")
    .execute();
  if (documents.length === 0) throw conflict("No document was issued that you may see");
  const ids = documents.map((document) => document.id);
  const sealed = await db
    .selectFrom("sealed_files")
    .where(isAmong(db, "sealed_files.document_id", ids))
    .where("copy", "=", 1)
    .where("public_url", "=", publicUrl)
    .select(["document_id", "qr_placing", "bytes", "sha256", "made_at"])
    .execute();
  const files = new Map(sealed.map((file) => [`${file.document_id} ${file.qr_placing}`, file]));
  const names = new Set<string>();
  const zipped = documents.flatMap(({ id, number, folder, qr_placing }) => {
    const file = files.get(`${id} ${qr_placing}`);
    if (!file) return [];
    const { sha256, bytes, made_at } = file;
    return [{ key: sealedKey(folder, sha256), bytes, name: freeName(number, names), at: new Date(made_at) }];
  });
  const missing = documents.length - zipped.length;
  if (missing === 0) return zipped;
  nudgeSealing();
  throw conflict(`${missing} of the documents are being sealed. Try again in a moment.`);
}

/** A name that leads into no folder, is one on Windows too, and no other file has. */
function freeName(number: string, names: Set<string>) {
  const base = number.replace(/[\\/:*?"<>|]/g, "-");
  let name = base;
  for (let n = 2; names.has(fold(name)); n++) name = `${base} (${n})`;
  names.add(fold(name));
  return `${name}.pdf`;
}
