import { type Actor, isAdministrator } from "../access.ts";
import type { Complete } from "../contract/call.ts";
import type { SavedView } from "../contract/views.ts";
import type { Db } from "../db/tables.ts";

/** The actor's views and those shared with their access group; administrators see every shared one. */
export const visibleViews = (db: Db, actor: Actor) =>
  db
    .selectFrom("saved_views")
    .innerJoin("users", "users.id", "saved_views.user_id")
    .leftJoin("access_groups", "access_groups.id", "saved_views.access_group_id")
    .leftJoin("default_views", (join) =>
      join.onRef("default_views.view_id", "=", "saved_views.id").on("default_views.user_id", "=", actor.id),
    )
    .where("saved_views.company_id", "=", actor.company_id)
    .where((eb) => {
      const own = eb("saved_views.user_id", "=", actor.id);
      const shared = isAdministrator(actor)
        ? eb("saved_views.access_group_id", "is not", null)
        : eb("saved_views.access_group_id", "=", actor.access_group_id);
      return eb.or([own, shared]);
    })
    .select(["saved_views.id", "saved_views.list", "saved_views.name", "query", "columns", "saved_views.version"])
    .select(["saved_views.user_id", "users.name as owner", "access_groups.name as shared_with"])
    .select("default_views.user_id as default_of")
    .orderBy("saved_views.name_key")
    .orderBy("saved_views.id");

type ViewRow = Awaited<ReturnType<ReturnType<typeof visibleViews>["execute"]>>[number];

/** A row of `visibleViews` in the contract's form. */
export const asView = ({ user_id, default_of, columns, shared_with, ...view }: ViewRow, actor: Actor) =>
  ({
    ...view,
    columns: JSON.parse(columns) as string[],
    shared_with: shared_with ?? "",
    is_own: user_id === actor.id,
    is_default: default_of !== null,
  }) satisfies Complete<typeof SavedView>;
