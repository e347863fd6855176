import type { Actor } from "../access.ts";
import { chooseDefaultView, createView, listViews, removeView, updateView } from "../contract/views.ts";
import { asView, visibleViews } from "./view-queries.ts";
import type { On } from "../http/endpoint.ts";
import { notFound } from "../http/errors.ts";
import type { Services } from "../services.ts";
import * as change from "./change-view.ts";

/** The most views that a list of them has; a user can have 50, and see those of many colleagues. */
const maxListed = 500;

export function serveViews(on: On, services: Services) {
  const { db } = services;

  async function find(actor: Actor, id: number) {
    const row = await visibleViews(db, actor).where("saved_views.id", "=", id).executeTakeFirst();
    if (!row) throw notFound();
    return asView(row, actor);
  }

  on(listViews, async ({ actor }) => {
    const rows = await visibleViews(db, actor).limit(maxListed).execute();
    return rows.map((row) => asView(row, actor));
  });

  // Before the calls whose path has an id.
  on(chooseDefaultView, async ({ caller, body }) => change.chooseDefault(services, caller, body));

  on(createView, async ({ actor, caller, body }) => find(actor, await change.addView(services, caller, body)));

  on(updateView, async ({ actor, caller, params, body }) => {
    await change.changeView(services, caller, params.id, body);
    return find(actor, params.id);
  });

  on(removeView, async ({ caller, params }) => change.removeView(services, caller, params.id));
}
