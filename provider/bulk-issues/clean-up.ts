import { daysInMs } from "#lib/units.ts";
import { ago } from "../calendar/calendar.ts";
import type { Db } from "../db/tables.ts";
import type { Services } from "../services.ts";

/** Days after the last change until a table is deleted. */
const keptDays = 30;

/** Removes abandoned bulk issues; the documents stay. */
export async function removeOldBulkIssues({ db, files, now }: Pick<Services, "db" | "files" | "now">) {
  const old = await db
    .selectFrom("bulk_issues")
    .where("changed_at", "<", ago(now(), daysInMs(keptDays)))
    .where("state", "not in", ["checking", "running"])
    .select(["id", "folder"])
    .limit(500)
    .execute();
  for (const one of old) {
    await removeIssues(db, [one.id]);
    await files.removeAll(one.folder);
  }
}

/** Removes all of a user's bulk issues, with the tables in them. Returns their folders in the store. */
export async function removeBulkIssuesOf(db: Db, userId: number): Promise<string[]> {
  const own = await db.selectFrom("bulk_issues").where("user_id", "=", userId).select(["id", "folder"]).execute();
  await removeIssues(
    db,
    own.map(({ id }) => id),
  );
  return own.map(({ folder }) => folder);
}

async function removeIssues(db: Db, ids: number[]) {
  for (const id of ids) {
    await db.deleteFrom("bulk_issue_rows").where("bulk_issue_id", "=", id).execute();
    await db.deleteFrom("bulk_issues").where("id", "=", id).execute();
  }
}

/** Removes the rows of a bulk issue in batches, by transactions that `write` begins. */
export async function removeRows(write: <T>(work: (db: Db) => Promise<T>) => Promise<T>, id: number) {
  for (let isLast = false; !isLast;) {
    isLast = await write(async (db) => {
      const rows = db.selectFrom("bulk_issue_rows").where("bulk_issue_id", "=", id);
      const last = await rows.select("line").orderBy("line").offset(rowsPerTurn).limit(1).executeTakeFirst();
      const removal = db.deleteFrom("bulk_issue_rows").where("bulk_issue_id", "=", id);
      await removal.$if(last !== undefined, (query) => query.where("line", "<", last!.line)).execute();
      return last === undefined;
    });
  }
}

const rowsPerTurn = 500;
