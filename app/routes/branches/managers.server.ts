import type { Branch } from "#provider/contract/branches.ts";
import type { Context } from "../../server/request/router-context.ts";
import { getUser, may } from "../../server/sessions/current-user.ts";
import { getProvider } from "../../server/provider/context.ts";
import { orUndefinedIfHidden } from "../../server/provider/failure.ts";

/**
 * The choices of a branch's manager by id: the users whom the access group shows, and the present one. Undefined if the
 * provider has no list of users or no ids: then the manager's name is typed.
 */
export async function readManagers(context: Context, branch: Branch | undefined) {
  if (branch?.manager && branch.manager_id === null) return undefined;
  const mayRead = may(getUser(context), "users", "read");
  const users = mayRead ? await orUndefinedIfHidden(getProvider(context).listUsers()) : [];
  if (!users) return undefined;
  const isAlone = (name: string) => users.filter((user) => user.name === name).length === 1;
  const managers = users.map(({ id, name, email }) => ({
    value: String(id),
    label: isAlone(name) ? name : `${name}, ${email}`,
  }));
  if (branch?.manager_id && !users.some(({ id }) => id === branch.manager_id)) {
    managers.unshift({ value: String(branch.manager_id), label: branch.manager });
  }
  return managers;
}
