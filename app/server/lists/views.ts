import { redirect } from "react-router";
import type { SavedView, ViewedList } from "#provider/contract/views.ts";
import { getProvider } from "../provider/context.ts";
import type { Context } from "../request/router-context.ts";
import { getOffers } from "../sessions/current-user.ts";

/** The addresses of the lists that can be saved as views. */
export const viewedAddresses: Record<ViewedList, string> = {
  documents: "/documents/list",
  archive: "/documents/archive",
  alerts: "/alerts",
  users: "/users/list",
  branches: "/branches/list",
};

/** A view as pages link to it. */
export type ListedView = Pick<SavedView, "id" | "list" | "name" | "is_own" | "is_default" | "columns"> & { to: string };

const asListed = ({ id, list, name, is_own, is_default, columns, query }: SavedView): ListedView => ({
  id,
  list,
  name,
  is_own,
  is_default,
  columns,
  to: `${viewedAddresses[list]}?view=${id}${query && `&${query}`}`,
});

const requested = new WeakMap<Context, Promise<ListedView[]>>();

/** The user's views and those shared with them, read once a request; none where the provider has none. */
export function listedViews(context: Context): Promise<ListedView[]> {
  if (!getOffers(context).views) return Promise.resolve([]);
  const known = requested.get(context);
  if (known) return known;
  const read = getProvider(context)
    .listViews()
    .then((views) => views.map(asListed));
  requested.set(context, read);
  return read;
}

/** What a list shows of its views. */
export type ListViews = {
  list: ViewedList;
  views: ListedView[];
  /** The one that the address names. */
  open: ListedView | undefined;
  isOffered: boolean;
};

/** A list's views. Leads to the user's default view where the address has no state of its own. */
export async function viewsOf(context: Context, url: URL, list: ViewedList): Promise<ListViews> {
  const views = (await listedViews(context)).filter((view) => view.list === list);
  const first = views.find(({ is_default }) => is_default);
  if (first && url.searchParams.size === 0) throw redirect(first.to);
  const open = views.find(({ id }) => String(id) === url.searchParams.get("view"));
  return { list, views, open, isOffered: getOffers(context).views };
}
