import { Plus } from "lucide-react";
import { Link } from "react-router";
import { Empty } from "../../components/empty.tsx";

/** In place of an empty list of branches. */
export const NoBranches = ({ mayCreate }: { mayCreate: boolean }) =>
  mayCreate ? (
    <Empty message="There are no branches yet.">
      <Link className="btn btn-quiet" to="/branches/new">
        <Plus className="ico" />
        Add new branch
      </Link>
    </Empty>
  ) : (
    <Empty message="There are no branches that you can see." />
  );
