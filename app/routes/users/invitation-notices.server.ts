import { t } from "#lib/messages/staff.ts";
import type { HandedLink } from "../../server/sessions/session.ts";

/** Notices about invitations, which claim that a mail was sent only if a mail server is configured. */

type Invitation = { link: string | null } | null | undefined;

/** The link to hand over; undefined if there is none. */
export const handedLink = (name: string, invitation: Invitation): HandedLink | undefined =>
  invitation?.link ? { name, link: invitation.link } : undefined;

export const addedNotice = ({ name, email }: { name: string; email: string }, invitation: Invitation) =>
  invitation && !invitation.link
    ? t("users.invitationNotices.addedAndInvited", { name, email })
    : t("common.nameWasAdded", { name });

export const invitedAgain = (name: string, invitation: Invitation) =>
  invitation?.link
    ? t("users.invitationNotices.againInOutbox", { name })
    : t("users.invitationNotices.againOnItsWay", { name });
