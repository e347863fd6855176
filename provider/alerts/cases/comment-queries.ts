import type { AlertComment } from "../../contract/alert-cases.ts";
import { maxComments } from "../../contract/comment-limits.ts";
import type { Db } from "../../db/tables.ts";

/** An alert's comments in the contract's form, the oldest first. */
export async function commentsOf(db: Db, alertId: number): Promise<AlertComment[]> {
  const rows = await db
    .selectFrom("alert_comments")
    .innerJoin("users", "users.id", "alert_comments.author_id")
    .where("alert_id", "=", alertId)
    .select(["alert_comments.id", "users.name as author", "author_id", "text", "at", "removed_at"])
    .orderBy("alert_comments.id")
    .limit(maxComments)
    .execute();
  const mentions = await db
    .selectFrom("alert_mentions")
    .innerJoin("alert_comments", "alert_comments.id", "alert_mentions.comment_id")
    .innerJoin("users", "users.id", "alert_mentions.user_id")
    .where("alert_comments.alert_id", "=", alertId)
    .select(["comment_id", "users.name"])
    .orderBy("users.name_key")
    .execute();
  return rows.map(({ removed_at, ...row }) => ({
    ...row,
    removed: removed_at !== null,
    notified: mentions.filter(({ comment_id }) => comment_id === row.id).map(({ name }) => name),
  }));
}
