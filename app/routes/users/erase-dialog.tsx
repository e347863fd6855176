import { Eraser } from "lucide-react";
import { Link } from "react-router";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { useDialog } from "../../components/dialog.tsx";

/** Opens the dialog that erases a removed user's personal data. */
export function EraseButton() {
  const { openTo } = useDialog();
  return (
    <Link className="btn btn-plain !text-bad" to={openTo("erase")} preventScrollReset>
      <Eraser className="ico" />
      Erase personal data
    </Link>
  );
}

export function EraseDialog({ id, name }: { id: number; name: string }) {
  const { open, closeTo } = useDialog();
  if (open !== "erase") return null;
  return (
    <ConfirmDialog
      title={`Erase the personal data of ${name}?`}
      confirm="Erase personal data"
      intent="erase"
      isDanger
      closeTo={closeTo}
    >
      <p>
        Name, email, phone, place, picture and drafts are erased, in the audit trail as well. Documents stay, with
        “Removed user {id}”. This can’t be undone.
      </p>
    </ConfirmDialog>
  );
}
