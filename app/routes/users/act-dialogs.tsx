import { say } from "#lib/messages/staff.ts";
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
        title={say("users.actDialogs.eraseQuestion", { name })}
        confirm={say("users.actDialogs.erasePersonalData")}
        intent="erase"
        isDanger
        closeTo={closeTo}
      >
        <p>{say("users.actDialogs.whatErasingDoes", { id })}</p>
      </ConfirmDialog>
    );
  }
  if (open === "reactivate" && mayReactivate) {
    return (
      <ConfirmDialog
        title={say("users.actDialogs.reactivateQuestion", { name })}
        confirm={say("users.actDialogs.reactivateUser")}
        intent="reactivate"
        closeTo={closeTo}
      >
        <p>{say("users.actDialogs.whatReactivatingDoes", { name, email })}</p>
      </ConfirmDialog>
    );
  }
  if (open === "clear-factor" && mayClear) {
    return (
      <ConfirmDialog
        title={say("users.actDialogs.removeFactorQuestion", { name })}
        confirm={say("common.removeSecondFactor")}
        intent="clear-factor"
        isDanger
        closeTo={closeTo}
      >
        <p>{say("users.actDialogs.whatRemovingTheFactorDoes", { name, email })}</p>
      </ConfirmDialog>
    );
  }
  if (open === "invite" && mayInvite) {
    return (
      <ConfirmDialog
        title={say("users.actDialogs.inviteAgainQuestion", { name })}
        confirm={say("users.actDialogs.sendInvitationAgain")}
        intent="invite"
        closeTo={closeTo}
      >
        <p>{say("users.actDialogs.whereItGoes", { email })}</p>
      </ConfirmDialog>
    );
  }
  return null;
}
