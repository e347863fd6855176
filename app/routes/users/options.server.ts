import type { RouterContextProvider } from "react-router";
import { loadedDocuments, tellsUsage } from "../../server/loaded-documents.ts";
import { getUser } from "../../server/current-user.ts";
import { getProvider } from "../../server/provider/context.ts";
import { asFailure } from "../../server/provider/failure.ts";

type Named = { name: string };

/**
 * Branches and access groups to choose from. Where the provider or the access group doesn't show them, what its
 * documents name is proposed, and any other can be typed.
 */
export async function readOptions(context: Readonly<RouterContextProvider>) {
  const provider = getProvider(context);
  const rows = tellsUsage(getUser(context)) ? [] : await loadedDocuments(context);
  const [branches, groups] = await Promise.all([
    names(() => provider.listBranches()),
    names(() => provider.listAccessGroups()),
  ]);
  return {
    branches: branches ?? { names: distinct(rows.map(({ branch }) => branch)), isOpen: true },
    groups: groups ?? { names: distinct(rows.map(({ users_access_group }) => users_access_group)), isOpen: true },
  };
}

async function names(ask: () => Promise<Named[]>) {
  try {
    return { names: (await ask()).map(({ name }) => name), isOpen: false };
  } catch (thrown) {
    if (asFailure(thrown, 403, 501)) return undefined;
    throw thrown;
  }
}

const distinct = (names: string[]) => [...new Set(names)].filter(Boolean).toSorted();
