import type { RouterContextProvider } from "react-router";
import { isoDate } from "#provider/contract/fields.ts";
import { getUser } from "../../server/current-user.ts";
import { distinct, pick, readList, readWish } from "../../server/lists.ts";
import { loadedDocuments, tellsUsage } from "../../server/loaded-documents.ts";
import { getProvider } from "../../server/provider/context.ts";
import { ifShown } from "../../server/provider/failure.ts";

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
    ifShown(provider.listBranches()),
  ]);
  return { part, branches: branches?.map(({ name }) => name) ?? namesIn(part.rows), filters: typed };
}

const namesIn = (rows: { branch: string }[]) => distinct(rows.map(({ branch }) => branch)).toSorted();
