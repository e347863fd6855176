import type { Choices } from "../../components/record-fields.ts";
import { distinct } from "../../server/lists/lists.ts";
import { loadedDocuments } from "../../server/lists/loaded-documents.ts";
import type { Context } from "../../server/request/router-context.ts";
import { getOffers } from "../../server/sessions/current-user.ts";
import { getProvider } from "../../server/provider/context.ts";
import { orUndefinedIfHidden } from "../../server/provider/failure.ts";
import { readSuggestions } from "../../server/suggestions.ts";

/**
 * Choices by field: branches and access groups to choose from, roles and countries to complete what is typed. If the provider or the access group does not show them, those named by
 * documents are proposed, and others can be typed.
 */
export async function readOptions(context: Context) {
  const provider = getProvider(context);
  const rows = getOffers(context).lists ? [] : await loadedDocuments(context);
  const [branches, groups, suggestions] = await Promise.all([
    orUndefinedIfHidden(provider.listBranches()),
    orUndefinedIfHidden(provider.listAccessGroups()),
    readSuggestions(context),
  ]);
  return {
    ...suggestions,
    branch: choices(
      branches,
      rows.map(({ branch }) => branch),
    ),
    staff: choices(
      groups,
      rows.map(({ users_access_group }) => users_access_group),
    ),
  };
}

const choices = (listed: { name: string }[] | undefined, proposed: string[]): Choices =>
  listed ? { options: listed.map(({ name }) => name) } : { options: distinct(proposed).toSorted(), isOpen: true };
