import type { RouterContextProvider } from "react-router";
import { filterAndPage, readList } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";

/** As many as a dialog has room for. */
const shown = 10;

export type Found = {
  /** What was looked for. */
  search: string;
  users: { id: number; name: string; email: string; branch: string; branch_id: number | null }[];
  /** Whether there are more than are shown. */
  isCut: boolean;
};

/** The users who have a text in their name or their email, the first few by name. Nobody where it is empty. */
export async function findUsers(context: Readonly<RouterContextProvider>, typed: string): Promise<Found> {
  const search = typed.trim().slice(0, 200);
  if (!search) return { search, users: [], isCut: false };
  const query = { filters: {}, sort: "name", page: 1, perPage: shown, sizes: [shown] };
  const parts = await Promise.all(
    ["name", "email"].map((field) =>
      readList(getProvider(context), "listUsers", { ...query, filters: { [field]: search } }),
    ),
  );
  const all = new Map(parts.flatMap(({ rows }) => rows.map((user) => [user.id, user])));
  const { rows } = filterAndPage([...all.values()], query);
  const users = rows.map(({ id, name, email, branch, branch_id }) => ({ id, name, email, branch, branch_id }));
  return { search, users, isCut: all.size > shown || parts.some(({ total }) => total > shown) };
}
