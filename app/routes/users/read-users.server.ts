import type { User } from "#provider/contract/users.ts";
import {
  filterAll,
  filterAndPage,
  type ListPart,
  type ListQuery,
  readAll,
  readList,
} from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import { asFailure } from "../../server/provider/failure.ts";
import type { Context } from "../../server/request/router-context.ts";

/** A page of the users; `isNamed`: of those in the reply to `GET /users`, if the provider has no list of them. */
export async function readUsers(
  context: Context,
  query: ListQuery,
): Promise<{ part: ListPart<User>; isNamed: boolean }> {
  try {
    return { part: await readList(getProvider(context), "listUsers", query), isNamed: false };
  } catch (thrown) {
    if (!asFailure(thrown, 501)) throw thrown;
    return { part: filterAndPage(await namedUsers(context), withFlag(query)), isNamed: true };
  }
}

/** The same, all of them in chunks. */
export async function* readAllUsers(context: Context, query: ListQuery): AsyncGenerator<User[]> {
  try {
    yield* readAll(getProvider(context), "listUsers", query);
  } catch (thrown) {
    if (!asFailure(thrown, 501)) throw thrown;
    yield* filterAll(await namedUsers(context), withFlag(query));
  }
}

/** With another provider the signed-in user alone, or several with the signed-in one first. */
async function namedUsers(context: Context): Promise<User[]> {
  const reply = await getProvider(context).currentUser();
  return Array.isArray(reply) ? reply : [reply];
}

/** Removed users only if they are asked for, as providers with a list do. */
const withFlag = ({ filters: { active = "1", ...filters }, ...query }: ListQuery): ListQuery => ({
  ...query,
  filters: { ...filters, active: String(active === "1") },
});
