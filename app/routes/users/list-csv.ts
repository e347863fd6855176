import { say } from "#lib/messages/staff.ts";
import type { User } from "#provider/contract/users.ts";
import type { CsvColumn } from "../../server/lists/csv.ts";
import { csvRoute } from "../../server/lists/export.ts";
import { selectedOr } from "../../server/lists/selection.ts";
import { getProvider } from "../../server/provider/context.ts";
import { parseUserQuery } from "./filters.server.ts";
import { readAllUsers } from "./read-users.server.ts";

const columns: CsvColumn<User>[] = [
  { label: say("common.name"), value: ({ name }) => name },
  { label: say("common.email"), value: ({ email }) => email },
  { label: say("common.phone"), value: ({ phone }) => phone },
  { label: say("common.role"), value: ({ role }) => role },
  { label: say("common.accessGroup"), value: ({ staff }) => staff },
  { label: say("common.country"), value: ({ country }) => country },
  { label: say("common.city"), value: ({ city }) => city },
  { label: say("common.index"), value: ({ index }) => index },
  { label: say("common.branch"), value: ({ branch }) => branch },
  { label: say("common.additionalInformation"), value: ({ info }) => info },
  // By which an import finds the user again.
  { label: say("users.listCsv.id"), value: ({ id }) => id },
];

const route = csvRoute(({ context, url }) => ({
  name: "users",
  columns,
  chunks: selectedOr(
    url,
    (id) => getProvider(context).getUser({ params: { id } }),
    () => readAllUsers(context, parseUserQuery(url)),
  ),
}));

export const middleware = route.middleware;
export const loader = route.loader;

export default function UsersCsv() {
  return null;
}
