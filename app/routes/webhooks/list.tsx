import { Plus } from "lucide-react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { BackLink } from "../../components/frame/back-link.tsx";
import { Empty } from "../../components/list/empty.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { WebhookTrouble } from "../../components/text/webhook-trouble.tsx";
import { getProvider } from "../../server/provider/context.ts";
import { getUser, timeZoneOf } from "../../server/sessions/current-user.ts";
import { countTrouble } from "../../server/provider/webhooks.ts";
import type { Route } from "./+types/list";
import { requireWebhooks } from "./require-webhooks.server.ts";
import { WebhookTable } from "./webhook-table.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  requireWebhooks(context);
  const webhooks = await getProvider(context).listWebhooks();
  return { webhooks, trouble: countTrouble(webhooks), timeZone: timeZoneOf(getUser(context)) };
}

/** The company's webhooks; those in trouble are counted above. */
export default function Webhooks({ loaderData: { webhooks, trouble, timeZone } }: Route.ComponentProps) {
  const add = (
    <Link className="btn btn-primary" to="/webhooks/new">
      <Plus className="ico" />
      {t("common.addWebhook")}
    </Link>
  );
  return (
    <>
      <PageTitle title={t("common.webhooks")} />
      <BackLink to="/settings">{t("common.backToSettings")}</BackLink>
      <div className="page-head mt-1">
        <div>
          <h1>{t("common.webhooks")}</h1>
          <p className="lead">{t("webhooks.list.lead")}</p>
        </div>
        {webhooks.length > 0 && <div className="page-acts">{add}</div>}
      </div>
      <WebhookTrouble {...trouble} />
      <section className="panel overflow-hidden" aria-label={t("common.webhooks")}>
        {webhooks.length > 0 ? (
          <WebhookTable webhooks={webhooks} timeZone={timeZone} />
        ) : (
          <Empty title={t("webhooks.list.noWebhooksYet")} message={t("webhooks.list.whatAWebhookIs")}>
            {add}
          </Empty>
        )}
      </section>
    </>
  );
}
