import { filterAndPage, readList } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import { asFailure } from "../../server/provider/failure.ts";
import type { Context } from "../../server/request/router-context.ts";

const maxShown = 10;

export type UserSearch = {
  /** The text that was searched. */
  search: string;
  /** Undefined if the search failed. */
  users?: { id: number; name: string; email: string; branch: string; branch_id: number | null }[];
  /** Whether there are more. */
  isCut: boolean;
};

/** The same for a form that was refused, which keeps its text if the search fails as well. */
export const findUsersAgain = (context: Context, text: string): Promise<UserSearch> =>
  findUsers(context, text).catch((thrown: unknown) => {
    if (asFailure(thrown)) return { search: text.trim().slice(0, 200), isCut: false };
    throw thrown;
  });

/** Users with a text in their name or email, the first few by name; none for an empty text. */
export async function findUsers(context: Context, text: string): Promise<UserSearch> {
  const search = text.trim().slice(0, 200);
  if (!search) return { search, users: [], isCut: false };
  const query = { filters: {}, sort: "name", page: 1, perPage: maxShown, sizes: [maxShown] };
  const parts = await Promise.all(
    ["name", "email"].map((field) =>
      readList(getProvider(context), "listUsers", { ...query, filters: { [field]: search } }),
    ),
  );
  const all = new Map(parts.flatMap(({ rows }) => rows.map((user) => [user.id, user])));
  const { rows } = filterAndPage([...all.values()], query);
  const users = rows.map(({ id, name, email, branch, branch_id }) => ({ id, name, email, branch, branch_id }));
  return { search, users, isCut: all.size > maxShown || parts.some(({ total }) => total > maxShown) };
}
