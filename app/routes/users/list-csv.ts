import type { User } from "#provider/contract/users.ts";
import type { CsvColumn } from "../../server/lists/csv.ts";
import { csvRoute } from "../../server/lists/export.ts";
import { selectedOr } from "../../server/lists/selection.ts";
import { readAll } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import { parseUserQuery } from "./filters.server.ts";

const columns: CsvColumn<User>[] = [
  { label: "Name", value: ({ name }) => name },
  { label: "Email", value: ({ email }) => email },
  { label: "Phone", value: ({ phone }) => phone },
  { label: "Role", value: ({ role }) => role },
  { label: "Access group", value: ({ staff }) => staff },
  { label: "Country", value: ({ country }) => country },
  { label: "City", value: ({ city }) => city },
  { label: "Index", value: ({ index }) => index },
  { label: "Branch", value: ({ branch }) => branch },
  { label: "Additional information", value: ({ info }) => info },
  // By which an import finds the user again.
  { label: "ID", value: ({ id }) => id },
];

const route = csvRoute(({ context, url }) => ({
  name: "users",
  columns,
  chunks: selectedOr(
    url,
    (id) => getProvider(context).getUser({ params: { id } }),
    () => readAll(getProvider(context), "listUsers", parseUserQuery(url)),
  ),
}));

export const middleware = route.middleware;
export const loader = route.loader;

export default function UsersCsv() {
  return null;
}
