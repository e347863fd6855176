import type { AuditAction } from "../contract/audit.ts";
import { isRealDate } from "#lib/dates.ts";
import { laterByPeriod } from "../calendar/calendar.ts";
import type { Tables } from "../db/tables.ts";
import { conflict } from "../http/errors.ts";

/** The transitions of a document's state (`docs/open-points.md`). */

type LifecycleState = Pick<
  Tables["documents"],
  "status" | "status_before_archive" | "expire_type" | "expire_date" | "first_expire_date" | "date" | "prolongation"
>;
type StateColumns = Partial<LifecycleState>;

/** Each returns the columns to change, or null if the document is in that state already. Throws 409. */
export const transitions = {
  archive: ({ status }: LifecycleState): StateColumns | null =>
    status === "archived" ? null : { status: "archived", status_before_archive: status },

  restore: ({ status, status_before_archive }: LifecycleState): StateColumns | null =>
    status === "archived" ? { status: status_before_archive ?? "active", status_before_archive: null } : null,

  exit({ status }: LifecycleState): StateColumns | null {
    if (status === "archived") throw conflict("This document is in the archive: restore it first");
    return status === "exited" ? null : { status: "exited" };
  },

  reactivate({ status }: LifecycleState): StateColumns | null {
    if (status === "archived") throw conflict("This document is in the archive: restore it first");
    return status === "active" ? null : { status: "active" };
  },

  prolong(document: LifecycleState): StateColumns {
    if (document.status !== "active") throw conflict("Only an active document can be prolonged");
    if (!document.expire_date) throw conflict("This document never expires");
    const expire_date = prolongedDate(document);
    if (!expire_date)
      throw conflict("This document is not meant to be prolonged: edit it and choose Prolongation first");
    if (!isRealDate(expire_date)) throw conflict("The later expire date would be after the year 9999");
    return { expire_date };
  },
} satisfies Record<string, (document: LifecycleState) => StateColumns | null>;

/** The expire date, later by the first period; undefined for documents that are not to be prolonged. */
function prolongedDate({ prolongation, date, expire_date, first_expire_date }: LifecycleState): string | undefined {
  if (!prolongation || !expire_date || !first_expire_date) return undefined;
  return laterByPeriod(expire_date, date, first_expire_date);
}

/** The expire date that prolonging would give; empty if that would be refused. */
export function prolongedUntil(document: LifecycleState): string {
  const date = document.status === "active" ? prolongedDate(document) : undefined;
  return date && isRealDate(date) ? date : "";
}

export type Action = keyof typeof transitions;

export const auditActions = {
  archive: "archived",
  restore: "restored",
  exit: "exited",
  reactivate: "reactivated",
  prolong: "prolonged",
} as const satisfies Record<Action, AuditAction>;
