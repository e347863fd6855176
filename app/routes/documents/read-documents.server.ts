import type { RouterContextProvider } from "react-router";
import type { DocumentRow } from "#provider/contract/documents.ts";
import { isoDate } from "#provider/contract/fields.ts";
import { getOffers } from "../../server/sessions/current-user.ts";
import { dateErrors } from "../../server/lists/date-filters.ts";
import { distinct, pick, pickAll, readAll, readList, readWish } from "../../server/lists/lists.ts";
import { loadedDocuments } from "../../server/lists/loaded-documents.ts";
import { getProvider } from "../../server/provider/context.ts";
import { orUndefinedIfHidden } from "../../server/provider/failure.ts";

type Context = Readonly<RouterContextProvider>;

const filters = ["name", "email", "date", "branch"] as const;
const exact = ["branch", "date"];
const columns = ["name", "branch", "user", "category", "date", "number"];

/** What a page of documents asks for, with the filters as they were typed, and how it is read. */
function wishOf(url: URL, statuses: string) {
  const wish = readWish(url, filters, columns);
  const typed = wish.filters;
  if (typed.date) wish.filters = { ...typed, date: isoDate(typed.date) };
  return { wish, typed, reading: { exact, always: { status: statuses } } };
}

/** Rows without a status are in the list and in the archive alike. */
const withStatus = (rows: DocumentRow[], statuses: string) =>
  rows.filter(({ status }) => !status || statuses.includes(status));

/** The part of the documents with one of `statuses` that the address asks for, and the branches to filter by. */
export async function readDocuments(context: Context, url: URL, statuses: string) {
  const { wish, typed, reading } = wishOf(url, statuses);
  const filtering = { filters: typed, filterErrors: dateErrors(url) };
  if (!getOffers(context).lists) {
    const loaded = await loadedDocuments(context);
    return { part: pick(withStatus(loaded, statuses), wish, reading), branches: namesIn(loaded), ...filtering };
  }
  const provider = getProvider(context);
  const [part, branches] = await Promise.all([
    readList(provider, "listDocuments", wish, reading),
    orUndefinedIfHidden(provider.listBranches()),
  ]);
  return { part, branches: branches?.map(({ name }) => name) ?? namesIn(part.rows), ...filtering };
}

/** All that the same address asks for, in chunks. */
export async function* readAllDocuments(context: Context, url: URL, statuses: string) {
  const { wish, reading } = wishOf(url, statuses);
  if (getOffers(context).lists) yield* readAll(getProvider(context), "listDocuments", wish, reading);
  else yield* pickAll(withStatus(await loadedDocuments(context), statuses), wish, reading);
}

const namesIn = (rows: { branch: string }[]) => distinct(rows.map(({ branch }) => branch)).toSorted();
