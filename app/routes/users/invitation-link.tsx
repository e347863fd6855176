import { Link2 } from "lucide-react";
import { CopyButton } from "../../components/text/copy-button.tsx";
import { t } from "#lib/messages/staff.ts";
import type { HandedLink } from "../../server/sessions/session.ts";

/** An invitation's link that no mail server sends, for the inviter to hand over. */
export const InvitationLink = ({ name, link }: HandedLink) => (
  <section className="notice is-warn mb-4" aria-label={t("users.invitationLink.invitationLink")}>
    <Link2 className="ico" />
    <div className="min-w-0 flex-1">
      <p>{t("users.invitationLink.noMailWasSent", { name })}</p>
      <p className="font-normal">{t("users.invitationLink.handItOver")}</p>
      <div className="field mt-3">
        <label htmlFor="invitation-link">{t("users.invitationLink.linkForName", { name })}</label>
        <input
          className="input"
          type="text"
          id="invitation-link"
          readOnly
          autoComplete="off"
          value={link}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      </div>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <CopyButton of="invitation-link" label={t("common.copyLink")} copied={t("common.theLinkWasCopied")} />
      </div>
    </div>
  </section>
);
