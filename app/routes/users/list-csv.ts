import { t } from "#lib/messages/staff.ts";
import type { User } from "#provider/contract/users.ts";
import type { ColumnName } from "../../components/list/view-columns.ts";
import type { CsvColumn, CsvColumns } from "../../server/lists/csv.ts";
import { csvRoute } from "../../server/lists/export.ts";
import { selectedOr } from "../../server/lists/selection.ts";
import { getProvider } from "../../server/provider/context.ts";
import { parseUserQuery } from "./filters.server.ts";
import { readAllUsers } from "./read-users.server.ts";

const columns: CsvColumn<User>[] = Object.values({
  name: { label: t("common.name"), value: ({ name }) => name },
  email: { label: t("common.email"), value: ({ email }) => email },
  phone: { label: t("common.phone"), value: ({ phone }) => phone },
  role: { label: t("common.role"), value: ({ role }) => role },
  staff: { label: t("common.accessGroup"), value: ({ staff }) => staff },
  country: { label: t("common.country"), value: ({ country }) => country },
  city: { label: t("common.city"), value: ({ city }) => city },
  index: { label: t("common.index"), value: ({ index }) => index },
  branch: { label: t("common.branch"), value: ({ branch }) => branch },
  info: { label: t("common.additionalInformation"), value: ({ info }) => info },
  // By which an import finds the user again.
  id: { label: t("users.listCsv.id"), value: ({ id }) => id },
} satisfies CsvColumns<User, ColumnName<"users">>);

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
