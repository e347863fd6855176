import { t } from "#lib/messages/staff.ts";
import type { DocumentRow } from "#provider/contract/documents.ts";
import { entryOf, showDate } from "../../../components/text/format.ts";
import { stateWords, statusWords } from "../../../components/scan/state-words.ts";
import type { ColumnName } from "../../../components/list/view-columns.ts";
import type { CsvColumn, CsvColumns } from "../../../server/lists/csv.ts";

/** The list's columns and further fields. */
export const csvColumns: CsvColumn<DocumentRow>[] = Object.values({
  name: { label: t("common.document"), value: ({ name }) => name },
  branch: { label: t("common.branch"), value: ({ branch }) => branch },
  user: { label: t("common.user"), value: ({ user }) => user },
  email: { label: t("common.email"), value: ({ email }) => email },
  category: { label: t("common.category"), value: ({ category }) => category },
  date: { label: t("common.date"), value: ({ date }) => showDate(date) },
  number: { label: t("common.number"), value: ({ number }) => number },
  validity: {
    label: t("common.status"),
    value: ({ status = "", validity }) => (validity ? stateWords[validity] : (entryOf(statusWords, status) ?? "")),
  },
  expire_date: { label: t("common.expireDate"), value: ({ expire_date }) => showDate(expire_date) },
  users_access_group: {
    label: t("common.companyUsersAccessGroup"),
    value: ({ users_access_group }) => users_access_group,
  },
} satisfies CsvColumns<DocumentRow, ColumnName<"documents">>);
