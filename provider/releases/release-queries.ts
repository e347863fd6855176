import { type Expression, expressionBuilder, sql, type SqlBool } from "kysely";
import { type Actor, scopeOf } from "../access.ts";
import { changesBetween, type Values } from "../audit/audit-queries.ts";
import type { Complete } from "../contract/call.ts";
import type { NewDocument } from "../contract/document-form.ts";
import { everyone } from "../contract/document-options.ts";
import type { Release, ReleaseRow } from "../contract/releases.ts";
import type { Db, Tables } from "../db/tables.ts";
import type { Act } from "../documents/apply-change.ts";
import { auditedDocument, findDocument, pageFilesOf } from "../documents/document-queries.ts";
import { prolongedUntil } from "../documents/lifecycle.ts";
import { withdrawalReasonsOf } from "../company/withdrawal-reasons.ts";
import { notFound } from "../http/errors.ts";
import { releasableBy, releasesWithin } from "./reach.ts";
import type { StoredPageFile, StoredRelease } from "./hold.ts";

/** What awaits release, as its drafter and those who may release it see it. */

type Condition = ReturnType<typeof releasableBy>;

/** A condition of `access.ts` on releases, which `releaseRows` names documents, as they are in reach by the same columns. */
const on = (condition: Condition): Expression<SqlBool> => condition(expressionBuilder<Tables, "documents">());

/** The releases that the actor may see, with the names of their users. */
export const releaseRows = (db: Db, actor: Actor, whose?: "release" | "own") =>
  db
    .selectFrom("releases as documents")
    .innerJoin("users as owners", "owners.id", "documents.owner_id")
    .innerJoin("users as drafters", "drafters.id", "documents.drafter_id")
    .leftJoin("users as firsts", "firsts.id", "documents.first_id")
    .leftJoin("users as lasts", "lasts.id", "documents.released_id")
    .leftJoin("branches", "branches.id", "documents.branch_id")
    .leftJoin("access_groups", "access_groups.id", "documents.access_group_id")
    .where("documents.company_id", "=", actor.company_id)
    .where(on(whose === "release" ? releasableBy(actor) : releasesWithin(actor)))
    .$if(whose === "own", (rows) => rows.where("documents.drafter_id", "=", actor.id))
    .selectAll("documents")
    .select(["owners.name as user", "drafters.name as drafter", "drafters.active as is_drafter_active"])
    .select(["firsts.name as first", "lasts.name as last"])
    .select(["branches.name as branch", "access_groups.name as users_access_group"])
    .select(sql<number>`case when ${on(releasableBy(actor))} then 1 else 0 end`.as("may_release"));

type JoinedRelease = Awaited<ReturnType<ReturnType<typeof releaseRows>["execute"]>>[number];

/** A row of `releaseRows` in the contract's form. */
export const asRelease = (row: JoinedRelease, reader: Pick<Actor, "id">) => {
  const { id, act, state, name, number, document_type, user, drafter, reason, created_at, version } = row;
  const facts = { id, act, state, name, number, document_type, user, drafter, reason, created_at, version };
  return {
    ...facts,
    branch: row.branch ?? "",
    users_access_group: row.users_access_group ?? everyone,
    is_own: row.drafter_id === reader.id,
    may_give_up: row.state !== "released" && (row.drafter_id === reader.id || row.is_drafter_active !== 1),
    may_release: row.may_release === 1,
    releasers: row.needed,
    released_by: [row.first, row.last].filter(Boolean).join(", "),
    document: row.document_id,
  } satisfies Complete<typeof ReleaseRow>;
};

/** One that the actor may see. Throws 404. */
export async function findRelease(db: Db, actor: Actor, id: number) {
  const release = await releaseRows(db, actor).where("documents.id", "=", id).executeTakeFirst();
  if (!release) throw notFound();
  return release;
}

/** In place of the document that it will be. */
export async function heldReply(db: Db, actor: Actor, id: number) {
  const { number } = await findRelease(db, actor, id);
  return { awaiting_release: id, number };
}

/** How many the actor may release now. */
export const countReleasable = (db: Db, actor: Actor) =>
  db
    .selectFrom("releases as documents")
    .where("documents.company_id", "=", actor.company_id)
    .where("documents.state", "=", "waiting")
    .where(scopeOf(actor, "docs", "release") ? on(releasableBy(actor)) : sql<boolean>`1 = 0`)
    .select(({ fn }) => fn.countAll<number>().as("count"));

/** The names of who drafted what becomes a document, or changes one, and who released it. */
export async function personsOf(db: Db, { drafter_id, first_id }: StoredRelease, actor: Actor): Promise<Values> {
  const users = await db
    .selectFrom("users")
    .where("id", "in", [drafter_id, ...(first_id === null ? [] : [first_id])])
    .select(["id", "name"])
    .execute();
  const nameOf = (id: number | null) => users.find((user) => user.id === id)?.name;
  const releasers = [nameOf(first_id), actor.name].filter(Boolean);
  return { drafted_by: nameOf(drafter_id)!, released_by: releasers.join(", ") };
}

/** One in the contract's form, with all that its releaser has to see. */
export async function releaseReply(db: Db, actor: Actor, id: number): Promise<Complete<typeof Release>> {
  const row = await findRelease(db, actor, id);
  const form = JSON.parse(row.form) as Partial<NewDocument> & { act?: Act };
  const files = JSON.parse(row.page_files) as StoredPageFile[];
  const older = form.replaces ? await findDocument(db, actor, form.replaces) : undefined;
  return {
    ...asRelease(row, actor),
    document_subtype: form.document_subtype ?? "",
    date: form.date ?? "",
    email: form.email ?? "",
    expire_type: form.expire_type ?? "",
    expire_date: form.expire_date ?? "",
    access_type: form.access_type ?? "",
    prolongation: form.prolongation ?? false,
    qr_placing: form.qr_placing ?? "none",
    copies: form.copies ?? 1,
    custom_fields: form.custom_fields ?? [],
    files: files.map(({ notes: _, ...file }, index) => ({ n: index + 1, ...file })),
    ...(older && { replaces: { id: older.id, number: older.number, version: older.version } }),
    changes: row.state === "released" ? [] : await changesOf(db, actor, { ...row, files }, older?.id),
  };
}

type ReadRelease = JoinedRelease & { files: StoredPageFile[] };

/** What it changes of its document, or what differs from the one that it is to replace. */
async function changesOf(db: Db, actor: Actor, row: ReadRelease, olderId: number | undefined) {
  const id = row.act === "issue" ? olderId : row.document_id;
  const document = id === undefined || id === null ? undefined : await findDocument(db, actor, id);
  if (!document) return [];
  const before = await auditedDocument(db, document.id);
  const form = JSON.parse(row.form) as NewDocument & { act: Act; n: number; reason?: number | string; note?: string };
  if (row.act === "change") return changesBetween(before, draftedValues(form, row, before));
  if (row.act === "issue") {
    const pages = row.files.reduce((sum, file) => sum + file.pages, 0);
    const copies = form.copies > 1 ? form.copies : undefined;
    const [earlier, later] = differingFiles(await pageFilesOf(db, document.id), row.files);
    const drafted = { ...draftedValues(form, row, before), pages, copies, page_files: later! };
    return changesBetween({ ...before, page_files: earlier! }, drafted);
  }
  if (row.act === "prolong")
    return changesBetween(before, { expire_date: prolongedUntil({ ...document, prolongation: 1 }) });
  if (row.act === "reactivate") return changesBetween(before, { status: "active" });
  if (row.act !== "exit") return changesBetween({}, { copy: String(form.n), note: form.note });
  const { act } = form;
  const given = typeof act === "object" && "note" in act ? act : undefined;
  const reasons = given?.reason ? await withdrawalReasonsOf(db, actor.company_id) : [];
  const withdrawal_reason = reasons.find((one) => one.id === given?.reason)?.name;
  return changesBetween(before, { status: "exited", withdrawal_reason, withdrawal_note: given?.note });
}

type File = Pick<StoredPageFile, "name" | "sha256">;

/** The names of the files that the other list lacks by their content, of both. */
const differingFiles = (earlier: File[], later: File[]) =>
  [
    [earlier, later],
    [later, earlier],
  ].map(([files, others]) => {
    const digests = new Set(others!.map(({ sha256 }) => sha256));
    const lacking = files!.filter(({ sha256 }) => !digests.has(sha256));
    return lacking.map(({ name }) => name).join(", ");
  });

/** A draft's values under the names of the audit trail; what it leaves out of `before` is emptied. */
function draftedValues(form: NewDocument, { number, branch }: JoinedRelease, before: Values): Values {
  const { document_type, document_subtype, date, name, email, users_access_group, access_type } = form;
  const { expire_type, expire_date, prolongation, qr_placing, custom_fields } = form;
  const custom = custom_fields.map((field) => [`custom_fields[${field.name}]`, field.value] as const);
  const gone = Object.keys(before).filter((field) => field.startsWith("custom_fields["));
  const basics = { name, number, document_type, document_subtype, date, email, branch, users_access_group };
  const rest = { access_type, expire_type, expire_date, prolongation, qr_placing };
  return {
    ...basics,
    ...rest,
    ...Object.fromEntries(gone.map((field) => [field, null])),
    ...Object.fromEntries(custom),
  };
}
