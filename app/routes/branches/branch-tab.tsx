import type { ComponentProps } from "react";
import { t } from "#lib/messages/staff.ts";
import type { Branch } from "#provider/contract/branches.ts";
import { ListRows } from "../../components/list/list-panel.tsx";
import { branchColumns } from "./branch-columns.tsx";
import { NoBranches } from "./no-branches.tsx";

type BranchTabProps = { part: ComponentProps<typeof ListRows<Branch>>["part"]; mayEdit: boolean; mayCreate: boolean };

/** The company profile's list of branches. */
export default function BranchTab({ part, mayEdit, mayCreate }: BranchTabProps) {
  return (
    <ListRows
      caption={t("common.branches")}
      part={part}
      columns={branchColumns(mayEdit)}
      emptyState={<NoBranches mayCreate={mayCreate} />}
    />
  );
}
