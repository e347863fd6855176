import { redirect } from "react-router";
import type { SavedView, ViewedList } from "#provider/contract/views.ts";
import { getProvider } from "../provider/context.ts";
import type { Context } from "../request/router-context.ts";
import { getOffers } from "../sessions/current-user.ts";

export const viewedAddresses: Record<ViewedList, string> = {
  documents: "/documents/list",
  archive: "/documents/archive",
  alerts: "/alerts",
  users: "/users/list",
  branches: "/branches/list",
};

/** The address that opens a list with a view. */
export const viewAddress = ({ id, list, query }: Pick<SavedView, "id" | "list" | "query">) =>
  `${viewedAddresses[list]}?view=${id}${query && `&${query}`}`;

type ListedView = Pick<SavedView, "id" | "list" | "name" | "is_own" | "is_default" | "columns"> & { to: string };

const asListed = (view: SavedView): ListedView => {
  const { id, list, name, is_own, is_default, columns } = view;
  return { id, list, name, is_own, is_default, columns, to: viewAddress(view) };
};

const requested = new WeakMap<Context, Promise<SavedView[]>>();

/** The user's views and those shared with them, read once a request. */
export function savedViews(context: Context): Promise<SavedView[]> {
  const request = requested.get(context) ?? getProvider(context).listViews();
  requested.set(context, request);
  return request;
}

/** The same for lists, which work without them: none if the provider has none, or fails. */
const listedViews = async (context: Context): Promise<ListedView[]> =>
  getOffers(context).views
    ? savedViews(context).then(
        (views) => views.map(asListed),
        () => [],
      )
    : [];

export type ListViews = {
  list: ViewedList;
  views: ListedView[];
  open: ListedView | undefined;
  isMissing: boolean;
  isOffered: boolean;
};

/** A list's views. Leads to the user's default view if the address has no state of its own. */
export async function viewsOf(context: Context, url: URL, list: ViewedList): Promise<ListViews> {
  const views = (await listedViews(context)).filter((view) => view.list === list);
  const first = views.find(({ is_default }) => is_default);
  if (first && url.searchParams.size === 0) throw redirect(first.to);
  const named = url.searchParams.get("view");
  const open = views.find(({ id }) => String(id) === named);
  const { views: isOffered } = getOffers(context);
  const isMissing = isOffered && !open && named !== null && /^\d+$/.test(named);
  return { list, views, open, isMissing, isOffered };
}
