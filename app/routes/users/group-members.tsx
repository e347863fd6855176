import { t } from "#lib/messages/staff.ts";
import type { User } from "#provider/contract/users.ts";
import type { SortOf } from "#provider/contract/calls.ts";
import { Empty } from "../../components/list/empty.tsx";
import { ListRows } from "../../components/list/list-panel.tsx";
import type { Paged } from "../../components/list/pagination.tsx";
import type { Column } from "../../components/list/table.tsx";
import { userColumns } from "../../components/user/user-columns.tsx";
import { membersInWords } from "./group-words.ts";

type MembersProps = { part: Paged & { rows: User[] }; members: number | undefined };

/** The members of an access group, of whom the reader may not see all. */
export default function Members({ part, members }: MembersProps) {
  return (
    <>
      {members !== undefined && (
        <p className="px-5 py-3 max-md:px-4">
          {part.total < members
            ? t("users.groupMembers.membersOfWhomYouSee", { members, seen: part.total })
            : membersInWords(members)}
        </p>
      )}
      <ListRows
        caption={t("users.groupMembers.members")}
        part={part}
        columns={columns}
        emptyState={<Empty message={members ? t("users.groupMembers.noneThatYouSee") : t("users.groupMembers.none")} />}
      />
    </>
  );
}

const columns: Column<User, SortOf<"listMembers">>[] = [
  ...userColumns,
  { label: t("common.branch"), cell: ({ branch }) => branch },
];
