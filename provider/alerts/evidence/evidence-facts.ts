import type { z } from "zod";
import type { Actor } from "../../access.ts";
import type { Alert } from "../../contract/alerts.ts";
import { dateIn } from "../../calendar/calendar.ts";
import { commentsOf } from "../cases/comment-queries.ts";
import { asAlert } from "../alert-queries.ts";
import { documentRows, findDocument } from "../../documents/document-queries.ts";
import { asScan, isOfTime, scanRows } from "../../scans/scan-queries.ts";
import type { Db } from "../../db/tables.ts";
import { validityOf } from "../../scans/validity.ts";
import { historyOf, originOf, sealedOf } from "../../seal/report-parts.ts";
import type { Services } from "../../services.ts";
import { findAlert } from "../change-alert.ts";

/** The facts of an alert's evidence, as far as its reader may see them. */

const limits = { scans: 100, comments: 100 };

export type Evidence = Awaited<ReturnType<typeof evidenceOf>>;

/** Throws 404 for an alert out of the actor's reach. */
export async function evidenceOf(services: Services, actor: Actor, id: number) {
  const { db, now } = services;
  const row = await findAlert(db, actor, id);
  const alert = asAlert(row, actor) as z.output<typeof Alert>;
  const [origin, document, scans, comments, history] = await Promise.all([
    originOf(services, actor),
    documentFacts(db, actor, row.document_id, dateIn(actor.timezone, now())),
    scansBehind(db, actor, alert),
    commentsOf(db, id),
    historyOf(db, actor, "alert", { id }),
  ]);
  return {
    origin,
    alert,
    document,
    ...scans,
    ...newestComments(comments),
    ...history,
  };
}

/** A document's facts that its alerts show, and the rest for users who may read it. */
async function documentFacts(db: Db, actor: Actor, id: number, today: string) {
  const row = await documentRows(db)
    .where("documents.id", "=", id)
    .select(["documents.document_type", "document_subtype", "documents.created_at"])
    .executeTakeFirstOrThrow();
  const { name, number, branch } = row;
  const facts = { name, number, branch: branch ?? "" };
  if (!(await findDocument(db, actor, id))) return { ...facts, more: undefined };
  const sealed = await sealedOf(db, id);
  const { user: owner, email, document_type, document_subtype, date, expire_date, created_at } = row;
  const state = validityOf(row, today);
  const archived = row.status === "archived";
  const kind = { document_type, document_subtype, date, expire_date: expire_date ?? "" };
  return { ...facts, more: { owner, email, ...kind, state, archived, issued_at: created_at, sealed } };
}

/** The newest scans behind an alert, the oldest of them first. */
async function scansBehind(db: Db, actor: Actor, alert: { id: number; date: string }) {
  const behind = scanRows(db, actor)
    .innerJoin("alert_scans", "alert_scans.scan_id", "scans.id")
    .where("alert_scans.alert_id", "=", alert.id)
    .where(isOfTime(alert));
  const rows = await behind
    .leftJoin("complaints", "complaints.scan_id", "scans.id")
    .select(["complaints.text as complaint", "complaints.contact", "complaints.language as complaint_language"])
    .orderBy("scans.id", "desc")
    .limit(limits.scans + 1)
    .execute();
  return {
    scans: rows.slice(0, limits.scans).toReversed().map(asScan),
    /** Whether there are older ones. */
    scansAreCut: rows.length > limits.scans,
  };
}

/** The newest comments, the oldest of them first. */
const newestComments = (comments: Awaited<ReturnType<typeof commentsOf>>) => ({
  comments: comments.slice(-limits.comments).map(({ author, at, text, removed }) => ({ author, at, text, removed })),
  olderComments: Math.max(0, comments.length - limits.comments),
});
