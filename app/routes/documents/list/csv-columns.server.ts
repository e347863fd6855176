import { say } from "#lib/messages/staff.ts";
import type { DocumentRow } from "#provider/contract/documents.ts";
import { entryOf, showDate } from "../../../components/text/format.ts";
import { stateWords, statusWords } from "../../../components/scan/state-words.ts";
import type { CsvColumn } from "../../../server/lists/csv.ts";

/** The list's columns and further fields. */
export const csvColumns: CsvColumn<DocumentRow>[] = [
  { label: say("common.document"), value: ({ name }) => name },
  { label: say("common.branch"), value: ({ branch }) => branch },
  { label: say("common.user"), value: ({ user }) => user },
  { label: say("common.email"), value: ({ email }) => email },
  { label: say("common.category"), value: ({ category }) => category },
  { label: say("common.date"), value: ({ date }) => showDate(date) },
  { label: say("common.number"), value: ({ number }) => number },
  {
    label: say("common.status"),
    value: ({ status = "", validity }) => (validity ? stateWords[validity] : (entryOf(statusWords, status) ?? "")),
  },
  { label: say("common.expireDate"), value: ({ expire_date }) => showDate(expire_date) },
  { label: say("common.companyUsersAccessGroup"), value: ({ users_access_group }) => users_access_group },
];
