import type { Caller } from "../../access.ts";
import { maxComments } from "../../contract/comment-limits.ts";
import { audit } from "../../audit/audit-queries.ts";
import type { Db } from "../../db/tables.ts";
import { inCallerTransaction } from "../../http/caller-transaction.ts";
import { conflict, forbidden, notFound } from "../../http/errors.ts";
import { limitByKey } from "../../http/rate-limits.ts";
import { mentionedMessage } from "../../mail/messages.ts";
import { enqueueMessage } from "../../mail/outbox.ts";
import type { Services } from "../../services.ts";
import { alertSubject, findAlert, noteFirstLook } from "../change-alert.ts";
import { findMentioned, mentionsIn } from "./mentions.ts";

/** Comments on alerts, each with the mails to those whom it mentions. */

type Written = { text: string; notify: string };

export function alertComments(services: Services) {
  const comments = limitByKey(services, "alert_comments", "You have written many comments");
  const mentions = limitByKey(services, "alert_mentions", "You have mentioned colleagues often");

  /** Adds a comment and returns its id. Throws 409 beyond `maxComments`, 422 for mentions of users who may not read it. */
  const add = async (caller: Caller, { id: userId }: { id: number }, alertId: number, written: Written) => {
    // Limits are counted before the transaction, which holds SQLite's only connection.
    await comments.count(String(userId));
    for (const _ of mentionsIn(`${written.text}${written.notify && `\n@${written.notify}`}`))
      await mentions.count(String(userId));
    const { comment, mails } = await inCallerTransaction(services, caller, async (transaction, actor) => {
      const alert = await findAlert(transaction, actor, alertId, "write");
      if ((await countComments(transaction, alertId)) >= maxComments)
        throw conflict(`This alert has ${maxComments} comments, which is the most that it can have`);
      const about = { id: alert.document_id, company_id: alert.company_id };
      const mentioned = (await findMentioned(transaction, about, written)).filter(({ id }) => id !== actor.id);
      const at = services.now();
      const row = { alert_id: alertId, author_id: actor.id, text: written.text, at: at.toISOString() };
      const inserted = transaction.insertInto("alert_comments").values(row).returning("id");
      const { id: comment_id } = await inserted.executeTakeFirstOrThrow();
      if (mentioned.length > 0) {
        const rows = mentioned.map(({ id }) => ({ comment_id, user_id: id }));
        await transaction.insertInto("alert_mentions").values(rows).execute();
      }
      await noteFirstLook(transaction, actor, alert, at);
      await audit(transaction, { actor, action: "commented", subject: alertSubject(alert), at });
      for (const { id, email } of mentioned) {
        const message = mentionedMessage(
          { email, timezone: actor.timezone },
          { by: actor.name, ...written },
          alert,
          services.publicUrl,
        );
        await enqueueMessage(services, transaction, message, { userId: id });
      }
      return { comment: comment_id, mails: mentioned.length };
    });
    if (mails > 0) services.nudgeMail();
    return comment;
  };

  /** Removes a comment's text for its author. Throws 403 for others. */
  const remove = (caller: Caller, { id, n }: { id: number; n: number }) =>
    inCallerTransaction(services, caller, async (transaction, actor) => {
      const alert = await findAlert(transaction, actor, id, "write");
      const comment = await transaction
        .selectFrom("alert_comments")
        .where("id", "=", n)
        .where("alert_id", "=", id)
        .where("removed_at", "is", null)
        .select(["id", "author_id"])
        .executeTakeFirst();
      if (!comment) throw notFound();
      if (comment.author_id !== actor.id) throw forbidden();
      const at = services.now();
      const removed = { text: "", removed_at: at.toISOString() };
      await transaction.updateTable("alert_comments").set(removed).where("id", "=", n).execute();
      await transaction.deleteFrom("alert_mentions").where("comment_id", "=", n).execute();
      await audit(transaction, { actor, action: "comment removed", subject: alertSubject(alert), at });
    });

  return { add, remove };
}

async function countComments(db: Db, alertId: number) {
  const { count } = await db
    .selectFrom("alert_comments")
    .where("alert_id", "=", alertId)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}
