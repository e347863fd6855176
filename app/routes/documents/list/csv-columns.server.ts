import { t } from "#lib/messages/staff.ts";
import type { DocumentRow } from "#provider/contract/documents.ts";
import { entryOf, showDate } from "../../../components/text/format.ts";
import { stateWords, statusWords } from "../../../components/scan/state-words.ts";
import type { CsvColumn } from "../../../server/lists/csv.ts";

/** The list's columns and further fields. */
export const csvColumns: CsvColumn<DocumentRow>[] = [
  { label: t("common.document"), value: ({ name }) => name },
  { label: t("common.branch"), value: ({ branch }) => branch },
  { label: t("common.user"), value: ({ user }) => user },
  { label: t("common.email"), value: ({ email }) => email },
  { label: t("common.category"), value: ({ category }) => category },
  { label: t("common.date"), value: ({ date }) => showDate(date) },
  { label: t("common.number"), value: ({ number }) => number },
  {
    label: t("common.status"),
    value: ({ status = "", validity }) => (validity ? stateWords[validity] : (entryOf(statusWords, status) ?? "")),
  },
  { label: t("common.expireDate"), value: ({ expire_date }) => showDate(expire_date) },
  { label: t("common.companyUsersAccessGroup"), value: ({ users_access_group }) => users_access_group },
];
