import type { Choices } from "../../components/record/record-fields.ts";
import { distinct } from "../../server/lists/lists.ts";
import { loadedDocuments } from "../../server/lists/loaded-documents.ts";
import type { Context } from "../../server/request/router-context.ts";
import { getOffers } from "../../server/sessions/current-user.ts";
import { getProvider } from "../../server/provider/context.ts";
import { orUndefinedIfHidden } from "../../server/provider/failure.ts";
import { meaning } from "./group-words.ts";
import { readSuggestions } from "../../server/suggestions.ts";

/** How many access groups the form of a user explains, by what matters most; the page of each says all. */
const explainedGroups = 30;

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
  const explained = groups?.slice(0, explainedGroups).map(({ name, docs, alerts, users }) => ({
    name,
    can: meaning({ docs, alerts, users }).can,
  }));
  const options = {
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
  return { options, groups: explained ?? [] };
}

const choices = (listed: { name: string }[] | undefined, proposed: string[]): Choices =>
  listed ? { options: listed.map(({ name }) => name) } : { options: distinct(proposed).toSorted(), isOpen: true };
