import type { WebhookAttempt } from "#provider/contract/webhooks.ts";
import { showInstant } from "../../components/format.ts";
import { type Column, Table } from "../../components/table.tsx";

type AttemptsProps = { tries: WebhookAttempt[]; timeZone: string };

/** The attempts of a delivery, each with its reply. */
export const Attempts = ({ tries, timeZone }: AttemptsProps) => (
  <section className="panel overflow-hidden" aria-labelledby="attempts">
    <h2 id="attempts" className="px-5 pt-4 pb-3 max-md:px-4">
      Attempts
    </h2>
    {tries.length > 0 ? (
      <Table caption="Attempts" rows={tries} columns={columns(timeZone)} keyOf={({ at }) => at} />
    ) : (
      <p className="px-5 pb-4 text-muted max-md:px-4">It was not tried yet.</p>
    )}
  </section>
);

const columns = (timeZone: string): Column<WebhookAttempt>[] => [
  { label: "Time", cell: ({ at }) => showInstant(at, timeZone) },
  { label: "Status", cell: ({ status }) => status ?? "No reply" },
  {
    label: "Result",
    cell: ({ problem, reply }) => (
      <div>
        {problem || "Delivered"}
        {reply && <pre className="mt-1 font-mono text-sm wrap-anywhere whitespace-pre-wrap text-muted">{reply}</pre>}
      </div>
    ),
  },
  { label: "Took", cell: ({ milliseconds }) => `${milliseconds.toLocaleString("en-GB")} ms` },
];
