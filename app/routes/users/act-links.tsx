import { Eraser, Mail, Pencil, ShieldOff, UserCheck } from "lucide-react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { useDialog } from "../../components/dialog/dialog.tsx";

type ActLinksProps = { id: number; mayErase: boolean; mayReactivate: boolean; mayInvite: boolean; mayClear: boolean };

/** What a user's page offers to those who may change the user. All but editing opens a dialog. */
export function ActLinks({ id, mayErase, mayReactivate, mayInvite, mayClear }: ActLinksProps) {
  const { openTo } = useDialog();
  return (
    <div className="page-acts">
      {mayErase && (
        <Link className="btn btn-plain !text-bad" to={openTo("erase")} preventScrollReset>
          <Eraser className="ico" />
          {t("users.actDialogs.erasePersonalData")}
        </Link>
      )}
      <Link className="btn btn-primary" to={`/users/edit/${id}`}>
        <Pencil className="ico" />
        {t("common.edit")}
      </Link>
      {mayReactivate && (
        <Link className="btn btn-quiet" to={openTo("reactivate")} preventScrollReset>
          <UserCheck className="ico" />
          {t("users.actDialogs.reactivateUser")}
        </Link>
      )}
      {mayClear && (
        <Link className="btn btn-quiet" to={openTo("clear-factor")} preventScrollReset>
          <ShieldOff className="ico" />
          {t("common.removeSecondFactor")}
        </Link>
      )}
      {mayInvite && (
        <Link className="btn btn-quiet" to={openTo("invite")} preventScrollReset>
          <Mail className="ico" />
          {t("users.actDialogs.sendInvitationAgain")}
        </Link>
      )}
    </div>
  );
}
