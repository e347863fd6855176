import type { RouterContextProvider } from "react-router";
import { isoDate } from "#provider/contract/fields.ts";
import { getUser } from "../../server/current-user.ts";
import { pick, readList, readWish } from "../../server/lists.ts";
import { loadedDocuments, tellsUsage } from "../../server/loaded-documents.ts";
import { getProvider } from "../../server/provider/context.ts";
import { asFailure } from "../../server/provider/failure.ts";

const filters = ["name", "email", "date", "branch"] as const;
const exact = ["branch", "date"];
const columns = ["name", "branch", "user", "category", "date", "number"];

/** The part of the documents with one of `statuses` that the address asks for, and the branches to filter by. */
export async function readDocuments(context: Readonly<RouterContextProvider>, url: URL, statuses: string) {
  const wish = readWish(url, filters, columns);
  const typed = wish.filters;
  if (wish.filters.date) wish.filters = { ...wish.filters, date: isoDate(wish.filters.date) };
  if (!tellsUsage(getUser(context))) {
    const loaded = await loadedDocuments(context);
    // Rows without a status are in the list and in the archive alike.
    const rows = loaded.filter(({ status }) => !status || statuses.includes(status));
    return { part: pick(rows, wish, exact), branches: namesIn(loaded), filters: typed };
  }
  const provider = getProvider(context);
  const [part, branches] = await Promise.all([
    readList(provider, "listDocuments", wish, { exact, always: { status: statuses } }),
    branchNames(provider),
  ]);
  return { part, branches: branches ?? namesIn(part.rows), filters: typed };
}

/** All branches' names, or undefined where the provider or the access group doesn't show them. */
async function branchNames(provider: ReturnType<typeof getProvider>) {
  try {
    return (await provider.listBranches()).map(({ name }) => name);
  } catch (thrown) {
    if (asFailure(thrown, 403, 501)) return undefined;
    throw thrown;
  }
}

const namesIn = (rows: { branch: string }[]) =>
  [...new Set(rows.map(({ branch }) => branch))].filter(Boolean).toSorted();
