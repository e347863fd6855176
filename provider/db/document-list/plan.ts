import { type Expression, expressionBuilder, type SqlBool, sql } from "kysely";
import type { z } from "zod";
import { type Actor, documentsWithin, indexPartitions, type Partition, seesAllDocuments } from "../../access.ts";
import type { Cursor } from "../../contract/cursors.ts";
import type { listDocuments } from "../../contract/documents.ts";
import { contains, isAmong } from "../lists.ts";
import { type Db, type DocumentStatus, documentStatuses, type Tables } from "../tables.ts";
import type { ListOrArchive } from "./indexes.ts";
import { type IndexRange, nthRow, type Order, type RangeScan } from "./range-scan.ts";
import { isLongEnough, searchedColumns, type TextMatch } from "./text-index.ts";
import type { Tuning } from "./tuning.ts";

export type Filters = Partial<Omit<z.output<typeof listDocuments.query>, "page" | "per_page" | "sort">>;

/** Where the documents lie that an actor's filters name, and what is left to check of each. */
export type ListPlan = {
  companyId: number;
  statuses: DocumentStatus[];
  from: string | undefined;
  to: string | undefined;
  /** Hold every match. */
  ranges: IndexRange[];
  /** What a document must meet to be listed. */
  condition: Expression<SqlBool>;
  /** Residual condition after the ranges. */
  rangeResidual: Expression<SqlBool>;
  /** Residual condition after ranges and text index; undefined if there is none. */
  textResidual: Expression<SqlBool> | undefined;
  textMatch: TextMatch | undefined;
  /** Whether there are texts, and all too short for the text index. */
  isShortText: boolean;
  /** Columns that the texts are in. */
  textColumns: string[];
  /** Whether day counters count these documents. */
  isCountedByDay: boolean;
  /** Whether every row of the ranges matches. */
  isEveryRow: boolean;
  /** Whether the ranges may hold few documents: of a partition, or between dates. */
  isNarrow: boolean;
  /** Where a search for short texts ends. */
  oldest?: Cursor | undefined;
  tuning: Tuning;
};

const sideOf = (status: DocumentStatus): ListOrArchive => (status === "archived" ? "archive" : "list");

export async function planList(db: Db, actor: Actor, filters: Filters, tuning: Tuning): Promise<ListPlan> {
  const wanted = await parseFilters(db, actor.company_id, filters);
  const { companyId, statuses, sides, from, to, branches, owners, short, long } = wanted;
  const { always, textResiduals, rangeResiduals } = conditionsOf(db, actor, wanted);
  const partitions = partitionsFor(actor, wanted);
  const texts = Object.fromEntries(long.map(({ name, text }) => [name, text]));
  const eb = expressionBuilder<Tables, "documents">();
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
    isShortText: short.length > 0 && long.length === 0,
    textColumns: [...short, ...long].map(({ column }) => column),
    isCountedByDay:
      seesAllDocuments(actor) && statuses.length > 0 && !branches && !owners && short.length + long.length === 0,
    isEveryRow: rangeResiduals.length === 0,
    isNarrow: partitions !== undefined || from !== undefined || to !== undefined,
    tuning,
  };
}

type Wanted = Awaited<ReturnType<typeof parseFilters>>;

async function parseFilters(db: Db, companyId: number, filters: Filters) {
  const { branch, email, status, date, date_from, date_to } = filters;
  const statuses = documentStatuses.filter((one) => !status || status.split(",").includes(one));
  const texts = Object.entries(searchedColumns).flatMap(([name, column]) => {
    const text = filters[name as keyof typeof searchedColumns];
    return text ? [{ name, column, text }] : [];
  });
  return {
    companyId,
    statuses,
    sides: [...new Set(statuses.map(sideOf))],
    from: [date, date_from].filter(Boolean).toSorted().at(-1),
    to: [date, date_to].filter(Boolean).toSorted()[0],
    branches: branch ? await branchesNamed(db, companyId, branch) : undefined,
    owners: email ? await ownersWith(db, companyId, email) : undefined,
    short: texts.filter(({ text }) => !isLongEnough(text)),
    long: texts.filter(({ text }) => isLongEnough(text)),
  };
}

function conditionsOf(db: Db, actor: Actor, { statuses, sides, from, to, branches, owners, short, long }: Wanted) {
  const eb = expressionBuilder<Tables, "documents">();
  const isReadable = documentsWithin(actor, "read")(eb);
  const hasStatus = statuses.length > 0 ? eb("documents.status", "in", statuses) : eb.lit(false);
  const isEveryStatus = documentStatuses.every((one) => statuses.includes(one) || !sides.includes(sideOf(one)));
  const has = ({ column, text }: Wanted["short"][number]) => contains(`documents.${column}`, text);
  const textResiduals = [
    ...(seesAllDocuments(actor) ? [] : [isReadable]),
    ...(isEveryStatus ? [] : [hasStatus]),
    ...(branches ? [isAmong(db, "documents.branch_id", branches)] : []),
    ...(owners ? [isAmong(db, "documents.owner_id", owners)] : []),
    ...(from ? [eb("documents.date", ">=", from)] : []),
    ...(to ? [eb("documents.date", "<=", to)] : []),
    ...short.map(has),
  ];
  return { always: [isReadable, hasStatus], textResiduals, rangeResiduals: [...textResiduals, ...long.map(has)] };
}

/** Of more owners, the whole company is read. */
const maxPartitions = 20;

/** Partitions that hold every match; undefined where that is the whole company. */
function partitionsFor(actor: Actor, { branches, owners }: Wanted): Partition[] | undefined {
  if (owners && owners.length <= maxPartitions) return owners.map((value) => ({ column: "owner_id", value }));
  const readable = indexPartitions(actor);
  if (!branches) return readable;
  const isWanted = ({ column, value }: Partition) =>
    column === "owner_id" || (value !== null && branches.includes(value));
  return readable ? readable.filter(isWanted) : branches.map((value) => ({ column: "branch_id", value }));
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
    condition: isNewEnough ? expressionBuilder().and([plan.rangeResidual, isNewEnough]) : plan.rangeResidual,
    columns: plan.textColumns,
    batchSize: plan.tuning.batchSize,
    maxRows: oldest && isByDate ? plan.tuning.newest : Infinity,
  };
}

/** Ends a plan at the newest documents, the same ones in every order. Without `oldest` there are no others. */
export async function endAtNewest(db: Db, plan: ListPlan): Promise<ListPlan> {
  const scan = scanOf(plan, newestFirst);
  const oldest = await nthRow(db, scan, plan.tuning.newest);
  const hasOthers = oldest && (await nthRow(db, { ...scan, after: oldest }, 1));
  return { ...plan, oldest: hasOthers && oldest };
}

async function branchesNamed(db: Db, companyId: number, name: string) {
  const branches = db.selectFrom("branches").where("company_id", "=", companyId).where("name", "=", name);
  return (await branches.select("id").execute()).map(({ id }) => id);
}

async function ownersWith(db: Db, companyId: number, email: string) {
  const owners = db.selectFrom("users").where("company_id", "=", companyId).where(contains("users.email_key", email));
  return (await owners.select("id").execute()).map(({ id }) => id);
}
