import { type Expression, expressionBuilder, type Kysely, type SqlBool } from "kysely";
import type { z } from "zod";
import { type Actor, documentsWithin, seesAllDocuments, type Stretch, stretchesOf } from "../../access.ts";
import type { listDocuments } from "../../contract/documents.ts";
import type { Shelf } from "./indexes.ts";
import type { Lane } from "./range-scan.ts";
import { contains } from "../lists.ts";
import { among, type Having, isLongEnough, searchedColumns, type Texts } from "../search.ts";
import { type DocumentStatus, documentStatuses, type Tables } from "../tables.ts";

/** Which documents somebody asks for: the filters of a list, and what their rights leave of it. */

type Db = Kysely<Tables>;
export type Filters = Partial<Omit<z.output<typeof listDocuments.query>, "page" | "per_page" | "sort">>;

export type Asked = {
  companyId: number;
  /** What a document must be to be listed. */
  condition: Expression<SqlBool>;
  /** What of it the index of texts and the shelves don't tell; undefined where they tell all. */
  conditionBesides: Expression<SqlBool> | undefined;
  /** What the index has of them; undefined where it is not asked. */
  having: Having | undefined;
  /** Whether there are texts and the index knows none of them. */
  isShort: boolean;
  statuses: DocumentStatus[];
  from: string | undefined;
  to: string | undefined;
  /** Whether these are all documents of the company with the statuses and dates. */
  isWhole: boolean;
  /** Whether nothing of a shelf is left out by its status or date. */
  isWholeShelf: boolean;
  /** Whether the lanes hold some of the company's documents only. */
  isNarrow: boolean;
  /** Where they lie, and little else. */
  lanes: Lane[];
};

const shelfOf = (status: DocumentStatus): Shelf => (status === "archived" ? "archive" : "list");
export const statusesOn = (shelf: Shelf) => documentStatuses.filter((status) => shelfOf(status) === shelf);

export async function askedFor(db: Db, actor: Actor, filters: Filters): Promise<Asked> {
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
  const shelves = [...new Set(statuses.map(shelfOf))];
  const isEveryStatus = documentStatuses.every((one) => statuses.includes(one) || !shelves.includes(shelfOf(one)));
  /** What is so wherever documents of the company are read shelf by shelf. */
  const untold = [
    documentsWithin(actor, "read")(eb),
    statuses.length > 0 ? eb("documents.status", "in", statuses) : eb.lit(false),
  ];
  const told = [
    ...(seesAll ? [] : [untold[0]!]),
    ...(isEveryStatus ? [] : [untold[1]!]),
    ...(branches ? [among(db, "documents.branch_id", branches)] : []),
    ...(owners ? [among(db, "documents.owner_id", owners)] : []),
    ...(from ? [eb("documents.date", ">=", from)] : []),
    ...(to ? [eb("documents.date", "<=", to)] : []),
    ...named.filter((name) => !long.includes(name)).map(has),
  ];
  const toldWithTexts = [...told, ...long.map(has)];
  const stretches =
    owners && owners.length <= 3
      ? owners.map((value): Stretch => ({ column: "owner_id", value }))
      : branches
        ? branches.map((value): Stretch => ({ column: "branch_id", value }))
        : stretchesOf(actor);
  const columns = named.map((name) => searchedColumns[name]);
  const lane = { companyId, from, to, condition: eb.and(toldWithTexts), columns };
  const isUnfiltered = seesAll && !branches && !owners;
  const texts: Texts = Object.fromEntries(long.map((name) => [name, filters[name]!]));
  return {
    companyId,
    condition: eb.and([...untold, ...toldWithTexts]),
    conditionBesides: told.length > 0 ? eb.and(told) : undefined,
    // A status of no kind leaves nothing to look through.
    having: long.length > 0 && shelves.length > 0 ? { companyId, shelves, texts } : undefined,
    isShort: named.length > 0 && long.length === 0,
    statuses,
    from,
    to,
    isWhole: isUnfiltered && named.length === 0 && statuses.length > 0,
    isWholeShelf: isEveryStatus && !from && !to,
    isNarrow: stretches !== undefined,
    lanes: shelves.flatMap((shelf) => (stretches ?? [undefined]).map((stretch) => ({ ...lane, shelf, stretch }))),
  };
}

async function branchesNamed(db: Db, companyId: number, name: string) {
  const named = db.selectFrom("branches").where("company_id", "=", companyId).where("name", "=", name);
  return (await named.select("id").execute()).map(({ id }) => id);
}

async function ownersWith(db: Db, companyId: number, email: string) {
  const having = db.selectFrom("users").where("company_id", "=", companyId).where(contains("users.email_key", email));
  return (await having.select("id").execute()).map(({ id }) => id);
}
