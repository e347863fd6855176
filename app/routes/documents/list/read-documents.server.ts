import type { DocumentRow } from "#provider/contract/documents.ts";
import { isoDate } from "#provider/contract/fields.ts";
import { matchesDate } from "#provider/contract/partial-dates.ts";
import type { Context } from "../../../server/request/router-context.ts";
import { getOffers, getUser } from "../../../server/sessions/current-user.ts";
import { customNames } from "../../../components/list/view-columns.ts";
import { dateErrors } from "../../../server/lists/date-filters.ts";
import { distinct, filterAndPage, filterAll, readAll, readList, parseListQuery } from "../../../server/lists/lists.ts";
import { viewsOf } from "../../../server/lists/views.ts";
import { loadedDocuments } from "../../../server/lists/loaded-documents.ts";
import { getProvider } from "../../../server/provider/context.ts";
import { orUndefinedIfHidden } from "../../../server/provider/failure.ts";
import { withCustomColumns } from "../custom-columns.server.ts";
import { mailFilters, stateFilters } from "./state-filters.ts";

const filters = [
  "name",
  "number",
  "email",
  "date",
  "date_from",
  "date_to",
  "expires",
  "branch",
  "status",
  "mail",
] as const;
const exact = ["branch", "validity"];
const customFilters = {
  date: ({ date }: DocumentRow, text: string) => matchesDate(date, text),
  date_from: ({ date }: DocumentRow, text: string) => date >= isoDate(text),
  date_to: ({ date }: DocumentRow, text: string) => date <= isoDate(text),
  expires: ({ expire_date }: DocumentRow, text: string) => expire_date === isoDate(text),
};

/** Parses the list query. */
function parseDocumentQuery(url: URL, statuses: string) {
  const query = parseListQuery(url, "listDocuments", filters);
  const { status = "", mail = "", ...entered } = query.filters;
  const choice = stateFilters.find(({ value }) => value.toLowerCase() === status.toLowerCase());
  if (mailFilters.some(({ value }) => value === mail)) entered.mail = mail;
  query.filters = { ...entered, ...(choice && { validity: choice.value }) };
  if (choice) entered.status = choice.value;
  return { query, entered, options: { exact, customFilters, fixedFilters: { status: statuses } } };
}

/** Rows without a status are in the list and in the archive alike. */
const withStatus = (rows: DocumentRow[], statuses: string) =>
  rows.filter(({ status }) => !status || statuses.includes(status));

/** The stored statuses of each list's documents. */
const statusesOf = { documents: "active,exited", archive: "archived" };

/** Has the rows' custom fields read if a view shows some. */
const withCustomFields = (options: ReturnType<typeof parseDocumentQuery>["options"], columns: string[] = []) => ({
  ...options,
  fixedFilters: { ...options.fixedFilters, ...(customNames(columns).length > 0 && { with_custom_fields: "1" }) },
});

/** A page of a list's documents, the branches to filter by and the list's views. */
export async function readDocuments(context: Context, url: URL, list: "documents" | "archive") {
  const viewed = await viewsOf(context, url, list);
  const statuses = statusesOf[list];
  const { query, entered, options } = parseDocumentQuery(url, statuses);
  const isExpiring = query.filters.validity === "expiring" || Boolean(query.filters.expires);
  const shownPart = <Part extends { rows: DocumentRow[] }>(part: Part) => ({
    ...part,
    rows: withCustomColumns(part.rows, viewed.open?.columns),
  });
  const filtersByMail = getUser(context).delivers === true;
  const filtering = { filtersByMail, filters: entered, filterErrors: dateErrors(url), isExpiring, viewed };
  if (!getOffers(context).lists) {
    const loaded = await loadedDocuments(context);
    return {
      part: shownPart(filterAndPage(withStatus(loaded, statuses), query, options)),
      branches: namesIn(loaded),
      filtersByState: false,
      matching: {},
      ...filtering,
    };
  }
  const provider = getProvider(context);
  const [part, branches] = await Promise.all([
    readList(provider, "listDocuments", query, withCustomFields(options, viewed.open?.columns)),
    orUndefinedIfHidden(provider.listBranches()),
  ]);
  const branchNames = branches?.map(({ name }) => name) ?? namesIn(part.rows);
  const matching = { ...query.filters, ...options.fixedFilters };
  return { part: shownPart(part), branches: branchNames, filtersByState: true, matching, ...filtering };
}

/** All matching documents, in chunks. */
export async function* readAllDocuments(context: Context, url: URL, list: "documents" | "archive", columns: string[]) {
  const statuses = statusesOf[list];
  const { query, options } = parseDocumentQuery(url, statuses);
  const all = withCustomFields(options, columns);
  if (getOffers(context).lists) yield* readAll(getProvider(context), "listDocuments", query, all);
  else yield* filterAll(withStatus(await loadedDocuments(context), statuses), query, options);
}

const namesIn = (rows: { branch: string }[]) => distinct(rows.map(({ branch }) => branch)).toSorted();
