import type { User } from "#provider/contract/users.ts";
import { Empty } from "../../components/empty.tsx";
import { ListRows } from "../../components/list-panel.tsx";
import type { Paged } from "../../components/pagination.tsx";
import type { Column } from "../../components/table.tsx";
import { userColumns } from "../../components/user-columns.tsx";
import { membersInWords } from "./group-words.ts";

type MembersProps = { part: Paged & { rows: User[] }; members: number | undefined };

/** The members of an access group, of whom the reader may not see all. */
export default function Members({ part, members }: MembersProps) {
  return (
    <>
      {members !== undefined && (
        <p className="px-5 py-3 max-md:px-4">
          {membersInWords(members)}
          {part.total < members && `, of whom you can see ${part.total}`}
        </p>
      )}
      <ListRows
        caption="Members"
        part={part}
        columns={columns}
        emptyState={
          <Empty message={members ? "There are no members that you can see." : "Nobody is in this access group."} />
        }
      />
    </>
  );
}

const columns: Column<User>[] = [...userColumns, { label: "Branch", cell: ({ branch }) => branch }];
