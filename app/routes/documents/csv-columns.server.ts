import type { DocumentRow } from "#provider/contract/documents.ts";
import { showDate } from "../../components/format.ts";
import { stateWords, statusWords } from "../../components/state-words.ts";
import type { CsvColumn } from "../../server/lists/csv.ts";

/** The list's columns and further fields. */
export const csvColumns: CsvColumn<DocumentRow>[] = [
  { label: "Document", value: ({ name }) => name },
  { label: "Branch", value: ({ branch }) => branch },
  { label: "User", value: ({ user }) => user },
  { label: "Email", value: ({ email }) => email },
  { label: "Category", value: ({ category }) => category },
  { label: "Date", value: ({ date }) => showDate(date) },
  { label: "Number", value: ({ number }) => number },
  {
    label: "Status",
    value: ({ status = "", validity }) => (validity ? stateWords[validity] : (statusWords[status] ?? "")),
  },
  { label: "Expire date", value: ({ expire_date }) => showDate(expire_date) },
  { label: "Company users access group", value: ({ users_access_group }) => users_access_group },
];
