import { type Actor, documentsWithin } from "../access.ts";
import { recordDownload } from "../audit/downloads.ts";
import { type Selection, selectedIds } from "../bulk-actions/selection.ts";
import { getChosenSealedPdfs, maxProofs, maxSealedPdfs, planSealedPdfs } from "../contract/sealed-pdfs.ts";
import { isAmong } from "../db/lists.ts";
import type { On } from "../http/endpoint.ts";
import { invalid, notFound } from "../http/errors.ts";
import { zipReply } from "../http/file-reply.ts";
import { queueSealing } from "../seal/seal-queue.ts";
import type { Services } from "../services.ts";
import { proofTexts } from "./proof/proof-bundle.ts";
import { archived, withSealed } from "./sealed-archive.ts";

/** The sealed PDFs of chosen documents. None is sealed for it: a document without one is left out, and listed. */
export function serveChosenSealedPdfs(on: On, services: Services) {
  on(planSealedPdfs, async ({ actor, query }) => {
    const { documents, leftOut } = await chosen(services, actor, query);
    const unsealed = leftOut.filter(({ reason }) => reason === "not sealed yet").map(({ id }) => id);
    await queueSealing(services.db, actor.company_id, unsealed);
    if (unsealed.length > 0) services.nudgeSealing();
    const files = archived(documents);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    return { documents: documents.length, files: files.length, bytes, left_out: leftOut };
  });

  on(getChosenSealedPdfs, async ({ actor, query, ...by }) => {
    const { documents, leftOut } = await chosen(services, actor, query);
    if (documents.length === 0) throw invalid({ ids: "None of these documents is sealed yet. Try again in a moment" });
    const pdfs = archived(documents);
    const lines = leftOut.map(({ number, name, reason }) => `${number}\t${name}\t${reason}\r\n`);
    const rest: Record<string, string> = lines.length > 0 ? { "left-out.txt": `\uFEFF${lines.join("")}` } : {};
    const texts = query.proof ? await proofTexts(services, actor.company_id, pdfs, rest) : rest;
    const file = query.proof ? "Proof" : "Sealed PDF";
    for (const document of documents) recordDownload(services, actor, { document, file }, by);
    const zipped = Object.entries(texts).map(([name, text]) => ({ name, text, at: services.now() }));
    return zipReply(query.proof ? "proof.zip" : "sealed-pdfs.zip", services.files, pdfs, zipped);
  });
}

/** The chosen documents that are sealed, and the others with why they are left out. */
async function chosen(services: Services, actor: Actor, selection: Selection & { proof?: boolean }) {
  const ids = await selectedIds(services, actor, "documents", selection);
  const rows = await services.db
    .selectFrom("documents")
    .where(isAmong(services.db, "documents.id", ids))
    .where(documentsWithin(actor, "read"))
    .select(["id", "company_id", "host_id", "number", "name", "folder", "qr_placing", "pages", "copies"])
    .execute();
  if (!selection.all && rows.length < ids.length) throw notFound();
  const most = selection.proof ? maxProofs : maxSealedPdfs;
  if (rows.reduce((sum, { copies }) => sum + copies, 0) > most) {
    throw invalid({ ids: `These are more than ${most} files: choose fewer documents` });
  }
  const byId = new Map(rows.map((row) => [row.id, row]));
  const inOrder = ids.flatMap((id) => byId.get(id) ?? []);
  const documents = await withSealed(services, inOrder);
  const leftOut = documents
    .filter(({ files }) => files.length === 0)
    .map(({ id, number, name, pages }) => {
      const reason = pages === 0 ? ("no pages" as const) : ("not sealed yet" as const);
      return { id, number, name, reason };
    });
  return { documents: documents.filter(({ files }) => files.length > 0), leftOut };
}
