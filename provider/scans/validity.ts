import type { Kysely } from "kysely";
import type { z } from "zod";
import { dateIn } from "../calendar.ts";
import type { Validity } from "../contract/documents.ts";
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
const isWithdrawn = ({ status, status_before_archive }: Pick<Scanned, "status" | "status_before_archive">) =>
  (status_before_archive ?? status) === "exited";

type Dated = Pick<Scanned, "status" | "status_before_archive" | "expire_date">;

/** What has become of a document by a day of its company: withdrawal outweighs expiry, and archiving only files away. */
export function validityOf(document: Dated, today: string): Validity {
  if (isWithdrawn(document)) return "withdrawn";
  const { expire_date } = document;
  return expire_date !== null && expire_date < today ? "expired" : "in force";
}

/** How a document's validity ended; undefined while it is in force. */
export function endOfValidity(
  document: Dated & Pick<Scanned, "status_since" | "timezone" | "created_at">,
  now: Date,
): Ended | undefined {
  const { status_since, expire_date, timezone, created_at } = document;
  switch (validityOf(document, dateIn(timezone, now))) {
    case "withdrawn":
      return { reason: "exited", since: dateIn(timezone, status_since ?? created_at) };
    case "expired":
      return { reason: "expired", since: expire_date! };
    default:
      return undefined;
  }
}

/** The verdict on a code that was issued, from all that the visitor asked. */
export function verdictOf(ended: Ended | undefined, isOtherPaper: boolean): IssuedVerdict {
  if (isOtherPaper) return "other paper";
  if (!ended) return "in force";
  return ended.reason === "exited" ? "withdrawn" : "expired";
}
