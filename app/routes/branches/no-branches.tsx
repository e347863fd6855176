import { Plus } from "lucide-react";
import { Link } from "react-router";
import { say } from "#lib/messages/staff.ts";
import { Empty } from "../../components/list/empty.tsx";

/** In place of an empty list of branches. */
export const NoBranches = ({ mayCreate }: { mayCreate: boolean }) =>
  mayCreate ? (
    <Empty message={say("branches.noBranches.noneYet")}>
      <Link className="btn btn-quiet" to="/branches/new">
        <Plus className="ico" />
        {say("common.addNewBranch")}
      </Link>
    </Empty>
  ) : (
    <Empty message={say("branches.noBranches.noneToSee")} />
  );
