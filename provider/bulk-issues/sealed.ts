import type { Actor } from "../access.ts";
import { archived, withSealed } from "../documents/sealed-archive.ts";
import type { Zipped } from "../files/zip.ts";
import { conflict } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { bulkDocuments } from "./bulk-issue-replies.ts";

/** The sealed PDFs of a bulk issue's documents. Throws 409 until all are sealed; nothing is sealed for it. */
export async function sealedOf(services: Services, actor: Actor, id: number): Promise<Zipped[]> {
  const rows = await bulkDocuments(services.db, actor, id)
    .select([
      "documents.company_id",
      "documents.host_id",
      "documents.folder",
      "documents.qr_placing",
      "documents.copies",
    ])
    .orderBy("bulk_issue_rows.line")
    .execute();
  if (rows.length === 0) throw conflict("No document was issued that you may see");
  const documents = await withSealed(services, rows);
  const missing = documents.filter(({ files }) => files.length === 0).length;
  if (missing === 0) return archived(documents);
  services.nudgeSealing();
  throw conflict(`${missing} of the documents are being sealed. Try again in a moment.`);
}
