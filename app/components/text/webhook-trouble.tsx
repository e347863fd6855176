import { TriangleAlert } from "lucide-react";
import { Link } from "react-router";
import { say } from "#lib/messages/staff.ts";

type WebhookTroubleProps = {
  /** How many webhooks fail, and how many are off though no user wanted that. */
  failing: number;
  off: number;
  /** Where they are listed, unless that is here. */
  to?: string;
};

/** That webhooks are in trouble, for those who can do something about it. */
export const WebhookTrouble = ({ failing, off, to }: WebhookTroubleProps) =>
  failing + off > 0 && (
    <section className="notice is-warn mb-4" aria-label={say("components.webhookTrouble.webhooksInTrouble")}>
      <TriangleAlert className="ico" />
      <p>
        {failing > 0 && `${say("components.webhookTrouble.failing", { count: failing })} `}
        {off > 0 && `${say("components.webhookTrouble.switchedOff", { count: off })} `}
        {to && <Link to={to}>{say("components.webhookTrouble.lookAtTheWebhooks")}</Link>}
      </p>
    </section>
  );
