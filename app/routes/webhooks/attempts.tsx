import { say } from "#lib/messages/staff.ts";
import type { WebhookAttempt } from "#provider/contract/webhooks.ts";
import { showInstant } from "../../components/text/format.ts";
import { type Column, Table } from "../../components/list/table.tsx";

type AttemptsProps = { tries: WebhookAttempt[]; timeZone: string };

/** The attempts of a delivery, each with its reply. */
export const Attempts = ({ tries, timeZone }: AttemptsProps) => (
  <section className="panel overflow-hidden" aria-labelledby="attempts">
    <h2 id="attempts" className="px-5 pt-4 pb-3 max-md:px-4">
      {say("webhooks.attempts.attempts")}
    </h2>
    {tries.length > 0 ? (
      <Table
        caption={say("webhooks.attempts.attempts")}
        rows={tries}
        columns={columns(timeZone)}
        keyOf={({ at }) => at}
      />
    ) : (
      <p className="px-5 pb-4 text-muted max-md:px-4">{say("webhooks.attempts.none")}</p>
    )}
  </section>
);

const columns = (timeZone: string): Column<WebhookAttempt>[] => [
  { label: say("webhooks.attempts.time"), cell: ({ at }) => showInstant(at, timeZone) },
  { label: say("common.status"), cell: ({ status }) => status ?? say("webhooks.webhookWords.noReply") },
  {
    label: say("common.result"),
    cell: ({ problem, reply }) => (
      <div>
        {problem || say("webhooks.webhookWords.delivered")}
        {reply && <pre className="mt-1 font-mono text-sm wrap-anywhere whitespace-pre-wrap text-muted">{reply}</pre>}
      </div>
    ),
  },
  {
    label: say("webhooks.attempts.took"),
    cell: ({ milliseconds }) => say("webhooks.attempts.milliseconds", { milliseconds }),
  },
];
