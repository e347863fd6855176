import { lazy } from "react";
import { Link } from "react-router";
import { useDialog } from "../../components/dialog.tsx";

/** Opens the list of those who can see the document. */
export function ReadersLink() {
  const { openTo } = useDialog();
  return (
    <Link className="print-hidden block font-normal" to={openTo("readers")} preventScrollReset>
      Who can see this?
    </Link>
  );
}

/** Those who can see a document. Browsers fetch its code when it is opened: few ask. */
export const ReadersDialog = lazy(() => import("./readers-dialog.tsx"));
