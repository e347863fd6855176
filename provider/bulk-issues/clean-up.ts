import { daysInMs } from "#units";
import { ago } from "../calendar.ts";
import type { Services } from "../services.ts";

/** Days after the last change, until which a table is kept. */
const keptDays = 30;

/** Removes bulk issues that nobody has gone on with; the documents stay. */
export async function removeOldBulkIssues({ db, files, now }: Pick<Services, "db" | "files" | "now">) {
  const old = await db
    .selectFrom("bulk_issues")
    .where("changed_at", "<", ago(now(), daysInMs(keptDays)))
    .where("state", "not in", ["checking", "running"])
    .select(["id", "folder"])
    .limit(500)
    .execute();
  for (const { id, folder } of old) {
    await db.deleteFrom("bulk_issue_rows").where("bulk_issue_id", "=", id).execute();
    await db.deleteFrom("bulk_issues").where("id", "=", id).execute();
    await files.removeAll(folder);
  }
}
