import type { z } from "zod";
import { isUniqueViolation } from "#lib/storage/database/dialect.ts";
import { fold } from "#lib/text.ts";
import { type Actor, type Caller, isAdministrator } from "../access.ts";
import { type chooseDefaultView, type createView, maxViews, type updateView } from "../contract/views.ts";
import { audit, staleConflict } from "../audit/audit-queries.ts";
import type { Db } from "../db/tables.ts";
import { visibleViews } from "./view-queries.ts";
import { conflict, forbidden, invalid, notFound } from "../http/errors.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import type { Services } from "../services.ts";

/** Saving, changing and removing views of lists. Each is one transaction with its entry in the audit trail. */

type NewView = z.output<typeof createView.body>;
type ViewChange = z.output<typeof updateView.body>;

/** Saves a view and returns its id. */
export const addView = (services: Services, caller: Caller, view: NewView): Promise<number> =>
  inCallerTransaction(services, caller, async (transaction, actor) => {
    await requireRoom(transaction, actor);
    const owned = { company_id: actor.company_id, user_id: actor.id, list: view.list, version: 1 };
    const row = { ...viewColumns(actor, view), ...owned };
    const { id } = await transaction.insertInto("saved_views").values(row).returning("id").executeTakeFirstOrThrow();
    const after = auditedView(view);
    await audit(transaction, { actor, action: "added", subject: subject(id), at: services.now(), after });
    return id;
  }).catch(rethrowNameTaken);

/** Changes one's own view. Throws 409 for an outdated version. */
export const changeView = (services: Services, caller: Caller, id: number, { version, ...view }: ViewChange) =>
  inCallerTransaction(services, caller, async (transaction, actor) => {
    const before = await findOwn(transaction, actor, id);
    if (version !== undefined && version !== before.version) {
      throw await staleConflict(transaction, actor, "view", id);
    }
    const row = { ...viewColumns(actor, view), version: before.version + 1 };
    await transaction.updateTable("saved_views").set(row).where("id", "=", id).execute();
    const earlier = {
      ...before,
      columns: JSON.parse(before.columns) as string[],
      shared: before.access_group_id !== null,
    };
    await audit(transaction, {
      actor,
      action: "changed",
      subject: subject(id),
      at: services.now(),
      before: auditedView(earlier),
      after: auditedView(view),
    });
  }).catch(rethrowNameTaken);

/** Removes one's own view, or as an administrator a shared one. */
export const removeView = (services: Services, caller: Caller, id: number) =>
  inCallerTransaction(services, caller, async (transaction, actor) => {
    await (isAdministrator(actor) ? findShared : findOwn)(transaction, actor, id);
    await transaction.deleteFrom("saved_views").where("id", "=", id).execute();
    await audit(transaction, { actor, action: "removed", subject: subject(id), at: services.now() });
  });

/** Chooses the view with which the caller's list opens, or none. */
export const chooseDefault = (services: Services, caller: Caller, input: z.output<typeof chooseDefaultView.body>) =>
  inCallerTransaction(services, caller, async (transaction, actor) => {
    const { list, view_id } = input;
    const own = { user_id: actor.id, list };
    if (!view_id) {
      await transaction
        .deleteFrom("default_views")
        .where("user_id", "=", own.user_id)
        .where("list", "=", list)
        .execute();
      return;
    }
    const view = await visibleViews(transaction, actor).where("saved_views.id", "=", view_id).executeTakeFirst();
    if (view?.list !== list) throw invalid({ view_id: "Choose one of your views of this list" });
    await transaction
      .insertInto("default_views")
      .values({ ...own, view_id })
      .onConflict((conflict) => conflict.columns(["user_id", "list"]).doUpdateSet({ view_id }))
      .execute();
  });

async function requireRoom(db: Db, actor: Actor) {
  const { views } = await db
    .selectFrom("saved_views")
    .where("user_id", "=", actor.id)
    .select((eb) => eb.fn.countAll<number>().as("views"))
    .executeTakeFirstOrThrow();
  if (views >= maxViews) throw conflict(`You have ${maxViews} views: remove one first`);
}

/** One's own view; throws 403 for one that is shared by another user, 404 for any other. */
async function findOwn(db: Db, actor: Actor, id: number) {
  const own = db.selectFrom("saved_views").where("id", "=", id).where("user_id", "=", actor.id).selectAll();
  const view = await own.executeTakeFirst();
  if (view) return view;
  throw (await visibleViews(db, actor).where("saved_views.id", "=", id).executeTakeFirst()) ? forbidden() : notFound();
}

/** Throws 404 unless the view is the actor's own, or shared in the company. */
async function findShared(db: Db, actor: Actor, id: number) {
  const view = await db
    .selectFrom("saved_views")
    .where("id", "=", id)
    .where("company_id", "=", actor.company_id)
    .where((eb) => eb.or([eb("user_id", "=", actor.id), eb("access_group_id", "is not", null)]))
    .select("id")
    .executeTakeFirst();
  if (!view) throw notFound();
}

const viewColumns = (actor: Actor, { name, query, columns, shared }: Omit<ViewChange, "version">) => ({
  name,
  name_key: fold(name),
  query,
  columns: JSON.stringify(columns),
  access_group_id: shared ? actor.access_group_id : null,
});

const auditedView = ({ name, query, columns, shared }: Omit<ViewChange, "version">) => ({
  name,
  // In plain text, in which a person who is erased is found.
  query: [...new URLSearchParams(query)].map(([field, value]) => `${field}: ${value}`).join(", "),
  columns: columns.join(", "),
  shared,
});

/** Without its own name, which a user typed and which may be a person’s (`users/erase.ts`). */
const subject = (id: number) => ({ entity: "view", id, name: `View ${id}` }) as const;

function rethrowNameTaken(error: unknown): never {
  if (isUniqueViolation(error)) throw invalid({ name: "You have a view of this list with this name: enter another" });
  throw error;
}
