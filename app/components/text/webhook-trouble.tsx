import { TriangleAlert } from "lucide-react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";

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
    <section className="notice is-warn mb-4" aria-label={t("components.webhookTrouble.webhooksInTrouble")}>
      <TriangleAlert className="ico" />
      <p>
        {failing > 0 && `${t("components.webhookTrouble.failing", { count: failing })} `}
        {off > 0 && `${t("components.webhookTrouble.switchedOff", { count: off })} `}
        {to && <Link to={to}>{t("components.webhookTrouble.lookAtTheWebhooks")}</Link>}
      </p>
    </section>
  );
