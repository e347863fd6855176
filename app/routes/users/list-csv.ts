import { t } from "#lib/messages/staff.ts";
import type { User } from "#provider/contract/users.ts";
import type { CsvColumn } from "../../server/lists/csv.ts";
import { csvRoute } from "../../server/lists/export.ts";
import { selectedOr } from "../../server/lists/selection.ts";
import { getProvider } from "../../server/provider/context.ts";
import { parseUserQuery } from "./filters.server.ts";
import { readAllUsers } from "./read-users.server.ts";

const columns: CsvColumn<User>[] = [
  { label: t("common.name"), value: ({ name }) => name },
  { label: t("common.email"), value: ({ email }) => email },
  { label: t("common.phone"), value: ({ phone }) => phone },
  { label: t("common.role"), value: ({ role }) => role },
  { label: t("common.accessGroup"), value: ({ staff }) => staff },
  { label: t("common.country"), value: ({ country }) => country },
  { label: t("common.city"), value: ({ city }) => city },
  { label: t("common.index"), value: ({ index }) => index },
  { label: t("common.branch"), value: ({ branch }) => branch },
  { label: t("common.additionalInformation"), value: ({ info }) => info },
  // By which an import finds the user again.
  { label: t("users.listCsv.id"), value: ({ id }) => id },
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
