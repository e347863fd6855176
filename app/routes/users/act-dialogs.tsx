import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { useDialog } from "../../components/dialog.tsx";

type Acts = { mayErase: boolean; mayReactivate: boolean; mayInvite: boolean; mayClear: boolean };
type ActDialogsProps = Acts & { id: number; name: string; email: string };

/** The open dialog of what can be done to a user beside editing, if the reader may do it. */
export default function ActDialogs({ id, name, email, ...may }: ActDialogsProps) {
  const { mayErase, mayReactivate, mayInvite, mayClear } = may;
  const { open, closeTo } = useDialog();
  if (open === "erase" && mayErase) {
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
  if (open === "reactivate" && mayReactivate) {
    return (
      <ConfirmDialog title={`Reactivate ${name}?`} confirm="Reactivate user" intent="reactivate" closeTo={closeTo}>
        <p>
          {name} can sign in again with {email} and the old password, and see and change what their access group allows.
          If they never set a password, they are invited again.
        </p>
      </ConfirmDialog>
    );
  }
  if (open === "clear-factor" && mayClear) {
    return (
      <ConfirmDialog
        title={`Remove the second factor of ${name}?`}
        confirm="Remove second factor"
        intent="clear-factor"
        isDanger
        closeTo={closeTo}
      >
        <p>
          For users who lost their phone and their recovery codes: make sure that it is {name} who asks. The password
          alone then signs in. Passkeys are removed as well, sessions and API keys end, and {email} gets a message.
        </p>
      </ConfirmDialog>
    );
  }
  if (open === "invite" && mayInvite) {
    return (
      <ConfirmDialog
        title={`Send ${name} an invitation again?`}
        confirm="Send invitation again"
        intent="invite"
        closeTo={closeTo}
      >
        <p>It goes to {email}. The links of earlier invitations stop working.</p>
      </ConfirmDialog>
    );
  }
  return null;
}
