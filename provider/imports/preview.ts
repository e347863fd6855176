import type { TableRow } from "#lib/intake/tables/table-file.ts";
import { fold } from "#lib/text.ts";
import { type Actor, scopeOf } from "../access.ts";
import { resolveManager } from "../branches/change-branch.ts";
import type { ImportKind, ImportRow } from "../contract/imports.ts";
import { errorsByField } from "../contract/fields.ts";
import type { Db } from "../db/tables.ts";
import { HttpError } from "../http/errors.ts";
import { groupNamed } from "../access-groups/access-group-queries.ts";
import { userColumns } from "../users/columns.ts";
import { isSameEmail } from "../users/profile/email-change.ts";
import { mayWhatNeedsProof } from "../users/rights.ts";
import { bodies, fieldsOf, headingOf, keyFields } from "./columns.ts";
import { type Current, findRecords, keyOf } from "./matching.ts";

/** The changes that a table would make, row by row; nothing is written. */

export type PreviewedRow = Omit<ImportRow, "id"> & { given: object | null };
type ParsedRow = TableRow & { values: Record<string, string> };

/** Previews rows in their order, some at a time. */
export function createPreview(db: Db, actor: Actor, kind: ImportKind, columns: string[]) {
  const fields = fieldsOf(kind, columns);
  let isProofNeeded = false;
  const linesByRecord = new Map<string, number>();
  const checkNames = createNameCheck(db, actor, kind);
  const admits = createAdmissionCheck(db, actor);

  const read = (row: TableRow): ParsedRow => ({
    ...row,
    values: Object.fromEntries(row.cells.flatMap((cell, at) => (fields[at] ? [[fields[at], cell]] : []))),
  });

  async function previewRow(row: ParsedRow, current: Current | undefined): Promise<PreviewedRow> {
    const { line, cells, values } = row;
    const { id: _, ...input } = values;
    const name = (input["name"] || current?.name || input["email"] || "").slice(0, 254);
    const base = { line, cells, name, record_id: current?.id ?? null, given: null, why: "", changes: [] };
    const refused = (why: string) => ({ ...base, state: "refused" as const, why });
    if (values["id"]?.trim() && !current) return refused(unknownId(kind));
    const changed = Object.entries(input).filter(([field, value]) => !isSame(value, current?.values[field] ?? ""));
    if (current && changed.length === 0) return { ...base, state: "unchanged" };
    if (!mayApply(actor, kind, current)) return refused(current ? mayNotChange : mayNotAdd(kind));
    const body = { ...current?.values, ...Object.fromEntries(changed) };
    const parsed = bodies[kind][current ? "update" : "create"].safeParse(
      current ? { ...body, version: current.version, manager_id: keptManager(current, changed) } : body,
    );
    if (parsed.error) return refused(messagesOf(kind, errorsByField(parsed.error)));
    const after = parsed.data as Record<string, unknown>;
    const changes = Object.keys(input)
      .map((field) => ({ field, before: current?.values[field] ?? "", after: String(after[field] ?? "") }))
      .filter((change) => change.before !== change.after);
    if (current && changes.length === 0) return { ...base, state: "unchanged" };
    const twice = lineOfSame(line, current, String(after[keyFields[kind]]));
    if (twice) return refused(`Line ${twice} is about the same ${kind === "users" ? "user" : "branch"}`);
    const unknownNames = await checkNames(after, current);
    if (unknownNames) return refused(messagesOf(kind, unknownNames));
    if (kind === "users" && !isProofNeeded) isProofNeeded = await needsProof(after, current);
    return { ...base, state: current ? "changed" : "new", changes, given: after };
  }

  /** As the single calls decide. */
  async function needsProof({ email, staff }: Record<string, unknown>, current: Current | undefined) {
    if (current && fold(String(staff)) !== fold(current.values["staff"]!)) return true;
    if (current && isSameEmail(String(email), current.values["email"]!)) return false;
    return current?.hasJoined || admits(String(staff));
  }

  /** The line before that is about the same record or takes the same email or name. */
  function lineOfSame(line: number, current: Current | undefined, key: string) {
    const names = [`key ${keyOf[kind](key)}`, ...(current ? [`id ${current.id}`] : [])];
    const before = names.map((name) => linesByRecord.get(name)).find((other) => other !== undefined);
    if (before === undefined) for (const name of names) linesByRecord.set(name, line);
    return before;
  }

  return {
    /** Whether the rows so far need a proof to be applied. */
    needsProof: () => isProofNeeded,
    async add(rows: TableRow[]): Promise<PreviewedRow[]> {
      const parsed = rows.map(read);
      const wanted = parsed.map(({ values }) => ({
        id: idIn(values["id"]),
        key: values[keyFields[kind]]?.trim() ?? "",
      }));
      const find = await findRecords(db, actor, kind, wanted);
      const previewed: PreviewedRow[] = [];
      for (const [at, row] of parsed.entries()) previewed.push(await previewRow(row, find(wanted[at]!)));
      return previewed;
    },
  };
}

/** The id that a cell has; 0, which no record has, for another text, and undefined for none. */
function idIn(cell: string | undefined): number | undefined {
  const text = cell?.trim();
  if (!text) return undefined;
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

/** Spreadsheets end lines within cells in their own way. */
const lineFeeds = (text: string) => text.replace(/\r\n?/g, "\n");
const isSame = (one: string, other: string) => lineFeeds(one) === lineFeeds(other);

const keptManager = (current: Current, changed: [string, string][]) =>
  changed.some(([field]) => field === "manager") ? "" : (current.manager_id ?? "");

const mayNotChange = "Your access group does not allow you to change this";
const mayNotAdd = (kind: ImportKind) =>
  `There is no such ${kind === "users" ? "user" : "branch"} that you can see, and your access group does not allow you to add one`;
const unknownId = (kind: ImportKind) =>
  `ID: there is no ${kind === "users" ? "user" : "branch"} with this ID that you can see. Leave it empty to add a new one`;

/** As the single calls decide. */
function mayApply(actor: Actor, kind: ImportKind, current: Current | undefined) {
  if (current) return current.mayWrite;
  const scope = scopeOf(actor, kind, "create");
  return kind === "users" ? scope !== undefined && scope !== "personal" : scope === "company";
}

/** Messages by field on one line, as a row of a table shows them. */
export const messagesOf = (kind: ImportKind, errors: Record<string, string[]>) =>
  Object.entries(errors)
    .map(([field, messages]) => `${headingOf(kind, field)}: ${messages[0]}`)
    .join(". ");

/** Checks names of branches, access groups and managers, each once for all rows that have the same. */
function createNameCheck(db: Db, actor: Actor, kind: ImportKind) {
  const checked = new Map<string, Record<string, string[]> | undefined>();
  return async (input: Record<string, unknown>, current: Current | undefined) => {
    const { branch, staff, manager } = input;
    const place = current && [current.branch_id, current.access_group_id, current.manager_id];
    const key = JSON.stringify([branch, staff, manager, place]);
    if (!checked.has(key)) checked.set(key, await errorsOf(() => check(input, current)));
    return checked.get(key);
  };

  async function check(input: Record<string, unknown>, current: Current | undefined) {
    if (kind === "branches") {
      const before = current && { manager: current.values["manager"]!, manager_id: current.manager_id };
      return resolveManager(db, actor, input as never, before);
    }
    const { branch = "", staff = "" } = current?.values ?? {};
    const placed = current && { ...current, branch, staff };
    return userColumns(db, actor, input as never, { current: placed, right: current ? "write" : "create" });
  }
}

/** Whether members of a group may do what needs a proof; each name is looked up once. */
function createAdmissionCheck(db: Db, { company_id }: Actor) {
  const checked = new Map<string, boolean>();
  return async (name: string) => {
    const key = fold(name);
    if (!checked.has(key)) {
      const group = await groupNamed(db, company_id, name);
      checked.set(key, group !== undefined && mayWhatNeedsProof(group));
    }
    return checked.get(key)!;
  };
}

async function errorsOf(check: () => Promise<unknown>) {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (error instanceof HttpError && error.errors) return error.errors;
    throw error;
  }
}
