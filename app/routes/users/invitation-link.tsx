import { Link2 } from "lucide-react";
import type { HandedLink } from "../../server/sessions/session.ts";

/** An invitation's link that no mail server sends, for the inviter to hand over. */
export const InvitationLink = ({ name, link }: HandedLink) => (
  <section className="notice is-warn mb-4" aria-label="Invitation link">
    <Link2 className="ico" />
    <div className="min-w-0 flex-1">
      <p>No mail was sent to {name}</p>
      <p className="font-normal">
        No mail server is set up, so the invitation lies in the outbox. Hand over this link yourself. It is valid for
        seven days, works once, and is shown only now.
      </p>
      <div className="field mt-3">
        <label htmlFor="invitation-link">Link for {name}</label>
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
    </div>
  </section>
);
