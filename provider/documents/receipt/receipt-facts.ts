import { type Actor, alertsWithin } from "../../access.ts";
import { lastRestrictedEntry } from "../../audit/restricted-history.ts";
import { copiesReply } from "../copies/copy-queries.ts";
import { findDocument, readDocument } from "../document-queries.ts";
import { codeOrigin } from "../../hosts/host-queries.ts";
import { notFound } from "../../http/errors.ts";
import { asScan, scanRows } from "../../scans/scan-queries.ts";
import { historyOf, originOf, sealedOf } from "../../seal/report-parts.ts";
import type { Services } from "../../services.ts";
import { activeIssuer } from "../../wallet/issuers.ts";

/** The facts of a document's receipt, as far as its reader may see them. */

const maxScans = 100;

export type Receipt = Awaited<ReturnType<typeof receiptOf>>;

/** Throws 404 for a document out of the actor's reach. */
export async function receiptOf(services: Services, actor: Actor, id: number) {
  const { db } = services;
  if (!(await findDocument(db, actor, id))) throw notFound();
  const [origin, { files, ...document }, copies, sealed, scans, history] = await Promise.all([
    originOf(services, actor),
    readDocument(services, actor, id),
    copiesReply(services, actor, id),
    sealedOf(db, id),
    newestScans(services, actor, id),
    lastRestrictedEntry(db, actor, id).then((after) => historyOf(db, actor, "document", { id, after })),
  ]);
  const wallet = document.validity === "in force" ? await walletPage(services, actor.company_id, id) : "";
  const pages = files.pages.map(({ covered: _, ...file }) => file);
  return { origin, wallet, document: { ...document, pages_files: pages }, copies, sealed, ...scans, ...history };
}

/** Where holders add what was sent to them to a wallet; empty if it was sent to nobody, or the company has wallets off. */
async function walletPage(services: Services, company_id: number, id: number) {
  if (!(await activeIssuer(services.db, company_id))) return "";
  const sent = services.db
    .selectFrom("recipients")
    .innerJoin("documents", "documents.id", "recipients.document_id")
    .where("documents.id", "=", id)
    .where("recipients.sent_at", "is not", null)
    .where("recipients.ended_at", "is", null);
  const document = await sent.select("host_id").limit(1).executeTakeFirst();
  return document ? `${await codeOrigin(services, { company_id, ...document })}/received` : "";
}

/** The newest scans, the oldest of them first; undefined for those who may not see them. */
async function newestScans({ db }: Services, actor: Actor, id: number) {
  const readable = db.selectFrom("documents").where("id", "=", id).where(alertsWithin(actor, "read"));
  const document = await readable.select("created_at").executeTakeFirst();
  if (!document) return { scans: undefined, scansAreCut: false };
  const rows = await scanRows(db, actor)
    .where("scans.document_id", "=", id)
    .orderBy("scans.at", "desc")
    .orderBy("scans.id", "desc")
    .limit(maxScans + 1)
    .execute();
  return { scans: rows.slice(0, maxScans).toReversed().map(asScan), scansAreCut: rows.length > maxScans };
}
