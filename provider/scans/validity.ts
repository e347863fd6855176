import type { CompiledQuery, Kysely } from "kysely";
import type { z } from "zod";
import { dateIn } from "../calendar/calendar.ts";
import type { CopyWithdrawn } from "../contract/copies.ts";
import { openToAll } from "../contract/document-options.ts";
import type { Validity } from "../contract/documents.ts";
import type { Ended as EndedSchema, IssuedVerdict } from "../contract/verify.ts";
import { TRUE } from "../db/flags.ts";
import type { Tables } from "../db/tables.ts";

/**
 * The document of a code, with its company and branch, and with the code and state of the copy that the code is of. On a
 * company's own host those of others are unknown.
 */
export async function documentByCode(db: Kysely<Tables>, code: string, hostCompany: number | undefined) {
  const { rows } = await db.executeQuery(withCode(compiledFor(db), code));
  const [document] = rows;
  if (document && hostCompany !== undefined && document.company_id !== hostCompany) return undefined;
  return document && { ...document, code, copy: document.copy ?? 1 };
}

/** The columns read of a document: all of them would take a third longer. */
const columns = [
  "documents.id",
  "documents.company_id",
  "documents.name",
  "documents.number",
  "documents.date",
  "documents.document_type",
  "documents.document_subtype",
  "documents.pages",
  "documents.copies",
  "documents.status",
  "documents.status_before_archive",
  "documents.status_since",
  "documents.created_at",
  "documents.expire_date",
  "documents.access_type",
  "documents.withdrawal_text",
  "documents.replaced_by_id",
  "documents.folder",
  "documents.version",
  "companies.name as company",
  "companies.timezone",
  "companies.language",
  "alert_rules",
  "branches.name as branch",
  "document_copies.n as copy",
  "withdrawn_at",
  "withdrawn_reason",
] as const;

const byCode = (db: Kysely<Tables>, code: string) =>
  db
    .selectFrom("documents")
    .innerJoin("companies", "companies.id", "documents.company_id")
    .leftJoin("branches", "branches.id", "documents.branch_id")
    .leftJoin("document_copies", (join) =>
      join.onRef("document_copies.document_id", "=", "documents.id").on("document_copies.code", "=", code),
    )
    .where("documents.id", "=", ({ fn, selectFrom }) =>
      fn.coalesce(
        selectFrom("document_copies").where("code", "=", code).select("document_id"),
        selectFrom("documents").where("code", "=", code).select("id"),
      ),
    )
    .where("companies.active", "=", TRUE)
    .select(columns);

type ByCode = CompiledQuery<Awaited<ReturnType<ReturnType<typeof byCode>["execute"]>>[number]>;

/** Built once for each database: building the statement takes longer than its answer. */
const compiled = new WeakMap<Kysely<Tables>, ByCode>();
const placeholder = "the code";

function compiledFor(db: Kysely<Tables>): ByCode {
  const query = compiled.get(db) ?? byCode(db, placeholder).compile();
  compiled.set(db, query);
  return query;
}

const withCode = (query: ByCode, code: string): ByCode => ({
  ...query,
  parameters: query.parameters.map((value) => (value === placeholder ? code : value)),
});

export type Scanned = NonNullable<Awaited<ReturnType<typeof documentByCode>>>;

/** Why a document is no longer in force and since which date. */
export type Ended = z.output<typeof EndedSchema>;

/** Whether a document was withdrawn, archived since or not. */
const isWithdrawn = ({ status, status_before_archive }: Pick<Scanned, "status" | "status_before_archive">) =>
  (status_before_archive ?? status) === "exited";

/** The columns that decide whether a document is in force on a day. */
export type Dated = Pick<Scanned, "status" | "status_before_archive" | "expire_date">;

/** A document's state on a day of its company: withdrawal outweighs expiry, and archiving only files away. */
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

/** Why and since which date a copy is withdrawn. */
export type WithdrawnCopy = z.output<typeof CopyWithdrawn>;

/** A copy's own withdrawal; undefined while it is not withdrawn. */
export const copyWithdrawal = ({
  withdrawn_at,
  withdrawn_reason,
  timezone,
}: Pick<Scanned, "withdrawn_at" | "withdrawn_reason" | "timezone">): WithdrawnCopy | undefined =>
  withdrawn_at === null ? undefined : { reason: withdrawn_reason!, since: dateIn(timezone, withdrawn_at) };

/** Whether visitors with this copy's code may see the pages of an open document. */
export const showsPages = (document: Scanned, now: Date) =>
  document.access_type === openToAll && !endOfValidity(document, now) && !copyWithdrawal(document);

/** The verdict on a code that was issued, from all that the visitor entered. The document's end outweighs its copy's. */
export function verdictOf(
  ended: Ended | undefined,
  isOtherPaper: boolean,
  withdrawn: WithdrawnCopy | undefined = undefined,
): IssuedVerdict {
  if (isOtherPaper) return "other paper";
  if (!ended) return withdrawn ? "copy withdrawn" : "in force";
  return ended.reason === "exited" ? "withdrawn" : "expired";
}
