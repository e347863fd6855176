import { Plus } from "lucide-react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { Empty } from "../../components/list/empty.tsx";

/** In place of an empty list of branches. */
export const NoBranches = ({ mayCreate }: { mayCreate: boolean }) =>
  mayCreate ? (
    <Empty message={t("branches.noBranches.noneYet")}>
      <Link className="btn btn-quiet" to="/branches/new">
        <Plus className="ico" />
        {t("common.addNewBranch")}
      </Link>
    </Empty>
  ) : (
    <Empty message={t("branches.noBranches.noneToSee")} />
  );
