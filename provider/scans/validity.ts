import type { Kysely } from "kysely";
import type { z } from "zod";
import { dateIn } from "../calendar.ts";
import type { Ended as EndedSchema, IssuedVerdict } from "../contract/verify.ts";
import type { Tables } from "../db/tables.ts";

/** The document of a code, with its company and branch. */
export const documentByCode = (db: Kysely<Tables>, code: string) =>
  db
    .selectFrom("documents")
    .innerJoin("companies", "companies.id", "documents.company_id")
    .leftJoin("branches", "branches.id", "documents.branch_id")
    .where("documents.code", "=", code)
    .where("companies.active", "=", 1)
    .selectAll("documents")
    .select(["companies.name as company", "companies.timezone", "branches.name as branch"])
    .executeTakeFirst();

export type Scanned = NonNullable<Awaited<ReturnType<typeof documentByCode>>>;

/** Why a document is no longer in force and since which date. */
export type Ended = z.output<typeof EndedSchema>;

/** Whether a document was withdrawn, archived since or not. */
export const isWithdrawn = ({ status, status_before_archive }: Pick<Scanned, "status" | "status_before_archive">) =>
  (status_before_archive ?? status) === "exited";

/** How a document's validity ended; undefined while it is in force. Archiving only files away. */
export function endOfValidity(
  document: Pick<
    Scanned,
    "status" | "status_before_archive" | "status_since" | "expire_date" | "timezone" | "created_at"
  >,
  now: Date,
): Ended | undefined {
  const { status_since, expire_date, timezone } = document;
  const ends: Ended[] = [];
  if (expire_date && expire_date < dateIn(timezone, now)) ends.push({ reason: "expired", since: expire_date });
  if (isWithdrawn(document)) {
    ends.push({ reason: "exited", since: dateIn(timezone, status_since ?? document.created_at) });
  }
  // The first counts: a document that was withdrawn after it had expired was in force until then.
  return ends.toSorted((a, b) => a.since.localeCompare(b.since))[0];
}

/** The verdict on a code that was issued, from all that the visitor asked. */
export function verdictOf(ended: Ended | undefined, isOtherPaper: boolean): IssuedVerdict {
  if (isOtherPaper) return "other paper";
  if (!ended) return "in force";
  return ended.reason === "exited" ? "withdrawn" : "expired";
}
