import { t } from "#lib/messages/staff.ts";
import type { WebhookAttempt } from "#provider/contract/webhooks.ts";
import { showInstant } from "../../components/text/format.ts";
import { type Column, Table } from "../../components/list/table.tsx";

type AttemptsProps = { tries: WebhookAttempt[]; timeZone: string };

/** The attempts of a delivery, each with its reply. */
export const Attempts = ({ tries, timeZone }: AttemptsProps) => (
  <section className="panel overflow-hidden" aria-labelledby="attempts">
    <h2 id="attempts" className="px-5 pt-4 pb-3 max-md:px-4">
      {t("webhooks.attempts.attempts")}
    </h2>
    {tries.length > 0 ? (
      <Table
        caption={t("webhooks.attempts.attempts")}
        rows={tries}
        columns={columns(timeZone)}
        keyOf={({ at }) => at}
      />
    ) : (
      <p className="px-5 pb-4 text-muted max-md:px-4">{t("webhooks.attempts.none")}</p>
    )}
  </section>
);

const columns = (timeZone: string): Column<WebhookAttempt>[] => [
  { label: t("webhooks.attempts.time"), cell: ({ at }) => showInstant(at, timeZone) },
  { label: t("common.status"), cell: ({ status }) => status ?? t("webhooks.webhookWords.noReply") },
  {
    label: t("common.result"),
    cell: ({ problem, reply }) => (
      <div>
        {problem || t("webhooks.webhookWords.delivered")}
        {reply && <pre className="mt-1 font-mono text-sm wrap-anywhere whitespace-pre-wrap text-muted">{reply}</pre>}
      </div>
    ),
  },
  {
    label: t("webhooks.attempts.took"),
    cell: ({ milliseconds }) => t("webhooks.attempts.milliseconds", { milliseconds }),
  },
];
