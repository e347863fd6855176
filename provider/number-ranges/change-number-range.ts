import type { Actor, Caller } from "../access.ts";
import { audit } from "../audit/audit-queries.ts";
import { dateIn } from "../calendar/calendar.ts";
import { companySubject } from "../company/company-queries.ts";
import type { NumberRangeInput } from "../contract/number-ranges.ts";
import { TRUE } from "../db/flags.ts";
import type { Db } from "../db/tables.ts";
import { numberColumns } from "../documents/numbers.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { invalid, notFound, throwIfErrors } from "../http/errors.ts";
import type { Services } from "../services.ts";
import {
  asNumberRange,
  firstFree,
  type ListedRange,
  nextOf,
  numberAt,
  rangesOf,
  type StoredRange,
  yearOf,
} from "./range-numbers.ts";

/** A range at the first free number from the typed one on. Throws 422 for an unknown branch, or a range that would repeat itself. */
export async function rangeFrom(db: Db, { company_id }: Actor, input: NumberRangeInput, date: string) {
  const { document_type, next_number } = input;
  const branch_id = input.branch_id || null;
  const branches = db.selectFrom("branches").where("company_id", "=", company_id).where("active", "=", TRUE);
  const branch = branch_id && (await branches.where("id", "=", branch_id).select("name").executeTakeFirst());
  const [digits] = /\d+$/.exec(next_number)!;
  const year = new RegExp(`(?<!\\d)${yearOf(date)}(?!\\d)`);
  const prefix = next_number.slice(0, -digits.length).replace(year, "{YYYY}");
  throwIfErrors({
    branch_id: branch_id && !branch ? "Choose a branch from the list" : undefined,
    restarts:
      input.restarts && !prefix.includes("{YYYY}")
        ? `Put ${yearOf(date)} into the number, or untick this: else the same numbers would come again`
        : undefined,
  });
  const [restarts, next_year] = [input.restarts ? 1 : 0, yearOf(date)];
  const range = { document_type, branch_id, prefix, digits: digits.length, restarts, next: Number(digits), next_year };
  const { place } = await firstFree(db, company_id, range, date);
  return { ...range, next: place, branch: branch ? branch.name : "" };
}

/** Adds a range, or changes the one with an id. Throws 404, and 422 if another one is of the same documents or begins like it. */
export const saveRange = (services: Services, caller: Caller, id: number | undefined, input: NumberRangeInput) =>
  inCallerTransaction(services, caller, async (db, actor) => {
    const date = dateIn(actor.timezone, services.now());
    const ranges = await rangesOf(db, actor.company_id);
    const before = id ? ofId(ranges, id) : undefined;
    const after = await rangeFrom(db, actor, input, date);
    for (const other of ranges) if (other !== before) requireOther(other, after, date);
    const { branch: _, ...columns } = after;
    const row = { ...columns, company_id: actor.company_id };
    const saved = before
      ? db.updateTable("number_ranges").set(row).where("id", "=", before.id).returning("id")
      : db.insertInto("number_ranges").values(row).returning("id");
    const range = { ...after, ...(await saved.executeTakeFirstOrThrow()) };
    await auditChange(db, services, actor, { before, after: range });
    return asNumberRange(range, date);
  });

/** Removes a range. Throws 404. */
export const removeRange = (services: Services, caller: Caller, id: number) =>
  inCallerTransaction(services, caller, async (db, actor) => {
    const before = ofId(await rangesOf(db, actor.company_id), id);
    await db.deleteFrom("number_ranges").where("id", "=", id).execute();
    await auditChange(db, services, actor, { before });
  });

function ofId<Range extends { id: number }>(ranges: Range[], id: number): Range {
  const range = ranges.find((one) => one.id === id);
  if (!range) throw notFound();
  return range;
}

function requireOther(other: StoredRange, range: StoredRange, date: string) {
  if (other.document_type === range.document_type && other.branch_id === range.branch_id) {
    throw invalid({ document_type: "There is a number range for these documents already: change that one" });
  }
  const stemOf = ({ prefix }: StoredRange) => numberColumns(numberAt({ prefix, digits: 1 }, date, 0)).number_read;
  if (stemOf(other) === stemOf(range)) {
    throw invalid({ next_number: "Another number range begins so: choose another beginning" });
  }
}

type Change = { before?: ListedRange | undefined; after?: ListedRange };

async function auditChange(db: Db, services: Services, actor: Actor, { before, after }: Change) {
  const at = services.now();
  const fields = (range: ListedRange | undefined) => ({
    number_range: range ? nextOf(range, dateIn(actor.timezone, at)) : null,
    document_type: range?.document_type || null,
    branch: range?.branch || null,
    restarts: range ? range.restarts === 1 : null,
  });
  const action = `number range ${!after ? "removed" : before ? "changed" : "added"}` as const;
  const subject = await companySubject(db, actor.company_id);
  await audit(db, { actor, action, subject, at, before: fields(before), after: fields(after) });
}
