import { daysInMs } from "#units";
import type { AuditAction } from "../contract/audit.ts";
import type { Tables } from "../db/tables.ts";
import { conflict } from "../http/refused.ts";

/** What may become of a document (`docs/open-points.md`), as rules without a database. */

type Standing = Pick<
  Tables["documents"],
  "status" | "status_before_archive" | "expire_type" | "expire_date" | "first_expire_date" | "date" | "prolongation"
>;
type Change = Partial<Standing>;

/**
 * For each act, the change that it makes, or null where the document is as wished already (so that pressing a button
 * twice does no harm). Throws a conflict where something else must come first.
 */
export const acts = {
  archive: ({ status }: Standing): Change | null =>
    status === "archived" ? null : { status: "archived", status_before_archive: status },

  restore: ({ status, status_before_archive }: Standing): Change | null =>
    status === "archived" ? { status: status_before_archive ?? "active", status_before_archive: null } : null,

  exit({ status }: Standing): Change | null {
    if (status === "archived") throw conflict("This document is in the archive: restore it first");
    return status === "exited" ? null : { status: "exited" };
  },

  reactivate({ status }: Standing): Change | null {
    if (status === "archived") throw conflict("This document is in the archive: restore it first");
    return status === "active" ? null : { status: "active" };
  },

  prolong(document: Standing): Change {
    if (document.status !== "active") throw conflict("Only an active document can be prolonged");
    if (!document.prolongation || !document.expire_date || !document.first_expire_date) {
      throw conflict("This document is not meant to be prolonged: edit it and choose Prolongation first");
    }
    return { expire_date: laterByFirstPeriod(document.expire_date, document.date, document.first_expire_date) };
  },
} satisfies Record<string, (document: Standing) => Change | null>;

export type Act = keyof typeof acts;

/** What an act is called in the audit trail. */
export const actNames = {
  archive: "archived",
  restore: "restored",
  exit: "exited",
  reactivate: "reactivated",
  prolong: "prolonged",
} as const satisfies Record<Act, AuditAction>;

/**
 * A date moved on by the time from `from` to `first`: by whole months where that is what lies between them (a year's
 * lease stays a year's lease over a leap day), otherwise by days. `first` may be the last day of the period.
 */
export function laterByFirstPeriod(date: string, from: string, first: string): string {
  for (const slack of [0, 1]) {
    const end = new Date(Date.parse(first) + slack * dayLength);
    const start = new Date(from);
    const months = (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
    if (end.getUTCDate() !== start.getUTCDate() || months < 1) continue;
    const moved = addMonths(new Date(Date.parse(date) + slack * dayLength), months);
    return isoDay(moved.getTime() - slack * dayLength);
  }
  return isoDay(Date.parse(date) + Date.parse(first) - Date.parse(from));
}

const dayLength = daysInMs(1);
const isoDay = (time: number) => new Date(time).toISOString().slice(0, 10);

/** The same day of a later month, or that month's last day where it is shorter. */
function addMonths(date: Date, months: number) {
  const day = date.getUTCDate();
  const moved = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(day, lastDay));
  return moved;
}
