import { lazy } from "react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { useDialog } from "../../../components/dialog/dialog.tsx";

/** Opens the list of users who can see the document. */
export function ReadersLink() {
  const { openTo } = useDialog();
  return (
    <Link className="print-hidden block font-normal" to={openTo("readers")} preventScrollReset>
      {t("documents.readersDialog.whoCanSeeThis")}
    </Link>
  );
}

/** Loaded when it is opened. */
export const ReadersDialog = lazy(() => import("./readers-dialog.tsx"));
