import { t } from "#lib/messages/staff.ts";
import { ConfirmDialog } from "../../components/dialog/confirm-dialog.tsx";
import { useDialog } from "../../components/dialog/dialog.tsx";

type Acts = { mayErase: boolean; mayReactivate: boolean; mayInvite: boolean; mayClear: boolean };
type ActDialogsProps = Acts & { id: number; name: string; email: string };

/** The open dialog of what can be done to a user beside editing, if the reader may do it. */
export default function ActDialogs({ id, name, email, ...may }: ActDialogsProps) {
  const { mayErase, mayReactivate, mayInvite, mayClear } = may;
  const { open, closeTo } = useDialog();
  if (open === "erase" && mayErase) {
    return (
      <ConfirmDialog
        title={t("users.actDialogs.eraseQuestion", { name })}
        confirm={t("users.actDialogs.erasePersonalData")}
        intent="erase"
        isDanger
        closeTo={closeTo}
      >
        <p>{t("users.actDialogs.whatErasingDoes", { id })}</p>
      </ConfirmDialog>
    );
  }
  if (open === "reactivate" && mayReactivate) {
    return (
      <ConfirmDialog
        title={t("users.actDialogs.reactivateQuestion", { name })}
        confirm={t("users.actDialogs.reactivateUser")}
        intent="reactivate"
        closeTo={closeTo}
      >
        <p>{t("users.actDialogs.whatReactivatingDoes", { name, email })}</p>
      </ConfirmDialog>
    );
  }
  if (open === "clear-factor" && mayClear) {
    return (
      <ConfirmDialog
        title={t("users.actDialogs.removeFactorQuestion", { name })}
        confirm={t("common.removeSecondFactor")}
        intent="clear-factor"
        isDanger
        closeTo={closeTo}
      >
        <p>{t("users.actDialogs.whatRemovingTheFactorDoes", { name, email })}</p>
      </ConfirmDialog>
    );
  }
  if (open === "invite" && mayInvite) {
    return (
      <ConfirmDialog
        title={t("users.actDialogs.inviteAgainQuestion", { name })}
        confirm={t("users.actDialogs.sendInvitationAgain")}
        intent="invite"
        closeTo={closeTo}
      >
        <p>{t("users.actDialogs.whereItGoes", { email })}</p>
      </ConfirmDialog>
    );
  }
  return null;
}
