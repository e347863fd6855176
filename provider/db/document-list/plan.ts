import { type Expression, expressionBuilder, type Kysely, type SqlBool } from "kysely";
import type { z } from "zod";
import { type Actor, documentsWithin, seesAllDocuments, type Partition, indexPartitions } from "../../access.ts";
import type { listDocuments } from "../../contract/documents.ts";
import type { ListOrArchive } from "./indexes.ts";
import type { IndexRange } from "./range-scan.ts";
import { contains } from "../lists.ts";
import { among, type TextMatch, isLongEnough, searchedColumns, type Texts } from "../search.ts";
import { type DocumentStatus, documentStatuses, type Tables } from "../tables.ts";

/** Which documents somebody asks for: the filters of a list, and what their rights leave of it. */

type Db = Kysely<Tables>;
export type Filters = Partial<Omit<z.output<typeof listDocuments.query>, "page" | "per_page" | "sort">>;

export type ListPlan = {
  companyId: number;
  /** What a document must be to be listed. */
  condition: Expression<SqlBool>;
  /** What of it the index of texts and the within don't tell; undefined where they tell all. */
  residualCondition: Expression<SqlBool> | undefined;
  /** What the index has of them; undefined where it is not plan. */
  textMatch: TextMatch | undefined;
  /** Whether there are texts and the index knows none of them. */
  isShort: boolean;
  statuses: DocumentStatus[];
  from: string | undefined;
  to: string | undefined;
  /** Whether these are all documents of the company with the statuses and dates. */
  isWhole: boolean;
  /** Whether nothing of a side is left out by its status or date. */
  isEveryRow: boolean;
  /** Whether the ranges hold some of the company's documents only. */
  isNarrow: boolean;
  /** Where they lie, and little else. */
  ranges: IndexRange[];
};

const sideOf = (status: DocumentStatus): ListOrArchive => (status === "archived" ? "archive" : "list");
export const statusesOn = (side: ListOrArchive) => documentStatuses.filter((status) => sideOf(status) === side);

export async function planList(db: Db, actor: Actor, filters: Filters): Promise<ListPlan> {
  const { company_id: companyId } = actor;
  const { branch, email, status, date, date_from, date_to } = filters;
  const statuses = documentStatuses.filter((one) => !status || status.split(",").includes(one));
  const [branches, owners] = [
    branch && (await branchesNamed(db, companyId, branch)),
    email && (await ownersWith(db, companyId, email)),
  ];
  const [from, to] = [
    [date, date_from].filter(Boolean).toSorted().at(-1),
    [date, date_to].filter(Boolean).toSorted()[0],
  ];
  const named = (Object.keys(searchedColumns) as (keyof Texts)[]).filter((name) => filters[name]);
  const long = named.filter((name) => isLongEnough(filters[name]!));
  const columnOf = (name: keyof Texts) => `documents.${searchedColumns[name]}`;
  const has = (name: keyof Texts) => contains(columnOf(name), filters[name]!);

  const eb = expressionBuilder<Tables, "documents">();
  const seesAll = seesAllDocuments(actor);
  const within = [...new Set(statuses.map(sideOf))];
  const isEveryStatus = documentStatuses.every((one) => statuses.includes(one) || !within.includes(sideOf(one)));
  /** What is so wherever documents of the company are read side by side. */
  const rangeConditions = [
    documentsWithin(actor, "read")(eb),
    statuses.length > 0 ? eb("documents.status", "in", statuses) : eb.lit(false),
  ];
  const residualConditions = [
    ...(seesAll ? [] : [rangeConditions[0]!]),
    ...(isEveryStatus ? [] : [rangeConditions[1]!]),
    ...(branches ? [among(db, "documents.branch_id", branches)] : []),
    ...(owners ? [among(db, "documents.owner_id", owners)] : []),
    ...(from ? [eb("documents.date", ">=", from)] : []),
    ...(to ? [eb("documents.date", "<=", to)] : []),
    ...named.filter((name) => !long.includes(name)).map(has),
  ];
  const conditions = [...residualConditions, ...long.map(has)];
  const partitions =
    owners && owners.length <= 3
      ? owners.map((value): Partition => ({ column: "owner_id", value }))
      : branches
        ? branches.map((value): Partition => ({ column: "branch_id", value }))
        : indexPartitions(actor);
  const columns = named.map((name) => searchedColumns[name]);
  const range = { companyId, from, to, condition: eb.and(conditions), columns };
  const isUnfiltered = seesAll && !branches && !owners;
  const texts: Texts = Object.fromEntries(long.map((name) => [name, filters[name]!]));
  return {
    companyId,
    condition: eb.and([...rangeConditions, ...conditions]),
    residualCondition: residualConditions.length > 0 ? eb.and(residualConditions) : undefined,
    // A status of no kind leaves nothing to look through.
    textMatch: long.length > 0 && within.length > 0 ? { companyId, within, texts } : undefined,
    isShort: named.length > 0 && long.length === 0,
    statuses,
    from,
    to,
    isWhole: isUnfiltered && named.length === 0 && statuses.length > 0,
    isEveryRow: isEveryStatus && !from && !to,
    isNarrow: partitions !== undefined,
    ranges: within.flatMap((side) => (partitions ?? [undefined]).map((partition) => ({ ...range, side, partition }))),
  };
}

async function branchesNamed(db: Db, companyId: number, name: string) {
  const named = db.selectFrom("branches").where("company_id", "=", companyId).where("name", "=", name);
  return (await named.select("id").execute()).map(({ id }) => id);
}

async function ownersWith(db: Db, companyId: number, email: string) {
  const textMatch = db
    .selectFrom("users")
    .where("company_id", "=", companyId)
    .where(contains("users.email_key", email));
  return (await textMatch.select("id").execute()).map(({ id }) => id);
}
