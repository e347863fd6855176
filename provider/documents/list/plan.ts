import { type Expression, expressionBuilder, type SqlBool, sql } from "kysely";
import type { z } from "zod";
import { type Actor, documentsWithin, indexPartitions, type Partition, seesAllDocuments } from "../../access.ts";
import type { Cursor } from "../../contract/cursors.ts";
import { expiringDays } from "../../contract/document-options.ts";
import { type listDocuments, type MailFilter, type ValidityFilter } from "../../contract/documents.ts";
import { addDays } from "../../calendar/calendar.ts";
import { isRealDate } from "#lib/dates.ts";
import { parseDateFilter } from "../../contract/partial-dates.ts";
import { contains, containsIn, isAmong, isWithinDates } from "../../db/lists.ts";
import { type Db, type DocumentStatus, documentStatuses, type Tables } from "../../db/tables.ts";
import { hasMailed } from "../../recipients/recipient-queries.ts";
import type { ListOrArchive } from "./indexes.ts";
import { type IndexRange, nthRows, type Order, type RangeScan } from "./range-scan.ts";
import { isLongEnough, searchedColumns, type TextMatch } from "./text-index.ts";
import type { Tuning } from "./tuning.ts";

/** Those of the call, and a text that is in the name or in the number. */
export type Filters = Partial<Omit<z.output<typeof listDocuments.query>, "page" | "per_page" | "sort">> & {
  name_or_number?: string;
};
/** With the day by which documents have expired. */
type DatedFilters = Filters & { today: string };

/** The range of the documents that an actor's filters name, and the residual condition on each. */
export type ListPlan = {
  companyId: number;
  statuses: DocumentStatus[];
  from: string | undefined;
  to: string | undefined;
  /** Hold every match. */
  ranges: IndexRange[];
  /** The condition for a document to be listed. */
  condition: Expression<SqlBool>;
  /** Residual condition after the ranges. */
  rangeResidual: Expression<SqlBool>;
  /** Residual condition after ranges and text index; undefined if there is none. */
  textResidual: Expression<SqlBool> | undefined;
  textMatch: TextMatch | undefined;
  /** What became of a mail to one of a document’s recipients. */
  mail: MailFilter | undefined;
  /** Whether there are texts, and all too short for the text index. */
  isShortText: boolean;
  /** Columns that the residual condition reads besides the covered ones. */
  columns: string[];
  /** The expire dates of all matches, if that is the best way to find them. */
  expiry: ExpiryRange | undefined;
  /** Whether day counters count these documents. */
  isCountedByDay: boolean;
  /** Whether every row of the ranges matches. */
  isEveryRow: boolean;
  /** Whether the ranges may hold few documents: of a partition, or between dates. */
  isNarrow: boolean;
  /** The end of a search for short texts. */
  oldest?: Cursor | undefined;
  tuning: Tuning;
};

/** Expire dates from the first one, if there is one, to the day before `before`. */
type ExpiryRange = { from?: string; before: string };

const sideOf = (status: DocumentStatus): ListOrArchive => (status === "archived" ? "archive" : "list");

export async function planList(db: Db, actor: Actor, filters: DatedFilters, tuning: Tuning): Promise<ListPlan> {
  const wanted = await parseFilters(db, actor.company_id, filters);
  const { companyId, statuses, sides, from, to, datePart, branches, owners, short, long, ended } = wanted;
  const { always, textResiduals, rangeResiduals } = conditionsOf(db, actor, wanted);
  const partitions = partitionsFor(actor, wanted);
  const texts = Object.fromEntries(long.map(({ name, text }) => [name, text]));
  const eb = expressionBuilder<Tables, "documents">();
  const isOfAnyContent = !datePart && !filters.mail && short.length + long.length + ended.conditions.length === 0;
  return {
    companyId,
    statuses,
    from,
    to,
    ranges: sides.flatMap((side) => (partitions ?? [undefined]).map((partition) => ({ side, partition }))),
    condition: eb.and([...always, ...rangeResiduals]),
    rangeResidual: eb.and(rangeResiduals),
    textResidual: textResiduals.length > 0 ? eb.and(textResiduals) : undefined,
    textMatch: long.length > 0 && sides.length > 0 ? { companyId, sides, texts } : undefined,
    mail: filters.mail,
    isShortText: short.length > 0 && long.length === 0,
    columns: [...[...short, ...long].flatMap(({ columns }) => columns), ...ended.columns],
    expiry:
      long.length === 0 && !from && !to
        ? (dayOfExpiry(filters) ?? expiryOf(filters.validity, filters.today))
        : undefined,
    isCountedByDay: seesAllDocuments(actor) && statuses.length > 0 && !branches && !owners && isOfAnyContent,
    isEveryRow: rangeResiduals.length === 0,
    isNarrow: partitions !== undefined || from !== undefined || to !== undefined,
    tuning,
  };
}

type Wanted = Awaited<ReturnType<typeof parseFilters>>;

async function parseFilters(db: Db, companyId: number, filters: DatedFilters) {
  const { branch, email, status, date, date_from, date_to, validity, today, expires } = filters;
  const statuses = documentStatuses.filter(
    (one) => (!status || status.split(",").includes(one)) && mayBe(validity, one),
  );
  const dates = date ? parseDateFilter(date) : undefined;
  const range = dates && "from" in dates ? dates : undefined;
  const texts = Object.entries(searchedColumns).flatMap(([name, columns]) => {
    const text = filters[name as keyof typeof searchedColumns];
    return text ? [{ name, columns, text }] : [];
  });
  return {
    companyId,
    statuses,
    sides: [...new Set(statuses.map(sideOf))],
    from: [range?.from, date_from].filter(Boolean).toSorted().at(-1),
    to: [range?.to, date_to].filter(Boolean).toSorted()[0],
    datePart: range ? undefined : dates,
    branches: branch ? await branchesNamed(db, companyId, branch) : undefined,
    owners: email ? await ownersWith(db, companyId, email) : undefined,
    mail: filters.mail,
    ended: endedBy(validity, { today, expires, isArchive: statuses.includes("archived") }),
    short: texts.filter(({ text }) => !isLongEnough(text)),
    long: texts.filter(({ text }) => isLongEnough(text)),
  };
}

function conditionsOf(db: Db, actor: Actor, wanted: Wanted) {
  const { statuses, sides, from, to, datePart, branches, owners, short, long, ended, mail } = wanted;
  const eb = expressionBuilder<Tables, "documents">();
  const isReadable = documentsWithin(actor, "read")(eb);
  const hasStatus = statuses.length > 0 ? eb("documents.status", "in", statuses) : eb.lit(false);
  const isEveryStatus = documentStatuses.every((one) => statuses.includes(one) || !sides.includes(sideOf(one)));
  const has = ({ columns, text }: Wanted["short"][number]) => containsIn("documents", columns, text);
  const textResiduals = [
    ...(seesAllDocuments(actor) ? [] : [isReadable]),
    ...(isEveryStatus ? [] : [hasStatus]),
    ...(branches ? [isAmong(db, "documents.branch_id", branches)] : []),
    ...(owners ? [isAmong(db, "documents.owner_id", owners)] : []),
    ...(from ? [eb("documents.date", ">=", from)] : []),
    ...(to ? [eb("documents.date", "<=", to)] : []),
    ...(datePart ? [isWithinDates("documents.date", datePart, ["day"])] : []),
    ...ended.conditions,
    ...(mail ? [hasMailed(mail)] : []),
    ...short.map(has),
  ];
  return { always: [isReadable, hasStatus], textResiduals, rangeResiduals: [...textResiduals, ...long.map(has)] };
}

/** When documents with a validity expire, if that is between two dates. */
function expiryOf(validity: ValidityFilter | undefined, today: string): ExpiryRange | undefined {
  if (validity === "expired") return { before: today };
  return validity === "expiring" ? { from: today, before: addDays(today, expiringDays + 1) } : undefined;
}

/** The only day on which documents expire that a filter names. */
const dayOfExpiry = ({ expires }: Filters): ExpiryRange | undefined =>
  expires && isRealDate(expires) ? { from: expires, before: addDays(expires, 1) } : undefined;

/** Whether documents with a status can have a validity. */
const mayBe = (validity: ValidityFilter | undefined, status: DocumentStatus) =>
  !validity || status === "archived" || (status === "exited") === (validity === "withdrawn");

/** The part of a validity that the status does not decide, and its columns. */
type Ending = { today: string; expires: string | undefined; isArchive: boolean };

function endedBy(validity: ValidityFilter | undefined, { today, expires, isArchive }: Ending) {
  const eb = expressionBuilder<Tables, "documents">();
  const conditions: Expression<SqlBool>[] = [];
  if (validity && isArchive) {
    const before = eb.fn.coalesce("documents.status_before_archive", "documents.status");
    conditions.push(eb(before, validity === "withdrawn" ? "=" : "<>", "exited"));
  }
  const expiry = expiryOf(validity, today);
  if (expiry) conditions.push(eb("documents.expire_date", "<", expiry.before));
  if (expiry?.from) conditions.push(eb("documents.expire_date", ">=", expiry.from));
  if (expires) conditions.push(eb("documents.expire_date", "=", expires));
  if (validity === "in force") {
    conditions.push(eb.or([eb("documents.expire_date", "is", null), eb("documents.expire_date", ">=", today)]));
  }
  const columns = [
    ...(validity && isArchive ? ["status_before_archive"] : []),
    ...(expires || (validity && validity !== "withdrawn") ? ["expire_date"] : []),
  ];
  return { conditions, columns };
}

/** Of more owners, the whole company is read. */
const maxPartitions = 20;

/** Partitions that hold every match; undefined if that is the whole company. */
function partitionsFor(actor: Actor, { branches, owners }: Wanted): Partition[] | undefined {
  if (owners && owners.length <= maxPartitions) return owners.map((value) => ({ column: "owner_id", value }));
  const readable = indexPartitions(actor);
  if (!readable) return branches?.map((value) => ({ column: "branch_id", value }));
  const isWanted = ({ column, value }: Partition) =>
    !branches || column === "owner_id" || (value !== null && branches.includes(value));
  return readable.filter(isWanted);
}

export const newestFirst: Order = { column: "date", isDescending: true };

/** The plan's documents in an order. By date its partitions are read, otherwise the whole company's index. */
export function scanOf({ oldest, ...plan }: ListPlan, order: Order): RangeScan {
  const isByDate = order.column === "date";
  const sides = [...new Set(plan.ranges.map(({ side }) => side))];
  const isNewEnough = oldest && sql<SqlBool>`(documents.date, documents.id) >= (${oldest.key}, ${oldest.id})`;
  return {
    companyId: plan.companyId,
    ranges: isByDate ? plan.ranges : sides.map((side) => ({ side })),
    order,
    from: plan.from,
    to: plan.to,
    oldest,
    condition:
      isNewEnough && !isByDate ? expressionBuilder().and([plan.rangeResidual, isNewEnough]) : plan.rangeResidual,
    columns: plan.columns,
    batchSize: plan.tuning.batchSize,
    maxRows: plan.isShortText && isByDate ? plan.tuning.newest : Infinity,
  };
}

/** The plan's documents in the order in which they expire, those of the whole company. */
export const expiryScan = (plan: ListPlan, { from, before }: ExpiryRange): RangeScan => ({
  ...scanOf(plan, { column: "expire_date", isDescending: true }),
  after: { key: before, id: 0 },
  from,
});

/** Ends a plan at the newest documents, the same ones in every order. Without `oldest` there are no others. */
export async function endAtNewest(db: Db, plan: ListPlan): Promise<ListPlan> {
  const [oldest, other] = await nthRows(db, scanOf(plan, newestFirst), plan.tuning.newest, 2);
  return { ...plan, oldest: other && oldest };
}

async function branchesNamed(db: Db, companyId: number, name: string) {
  const branches = db.selectFrom("branches").where("company_id", "=", companyId).where("name", "=", name);
  return (await branches.select("id").execute()).map(({ id }) => id);
}

async function ownersWith(db: Db, companyId: number, email: string) {
  const owners = db.selectFrom("users").where("company_id", "=", companyId).where(contains("users.email_key", email));
  return (await owners.select("id").execute()).map(({ id }) => id);
}
