import { say } from "#messages/staff.ts";
import type { Similarity } from "#provider/contract/alert-cases.ts";
import type { Alert } from "#provider/contract/alerts.ts";
import { capital } from "../../components/format.ts";
import { type Column, Table } from "../../components/table.tsx";
import { alertColumns } from "./columns.tsx";

type SimilarAlert = Alert & { similar_by: Similarity[] };

const words: Record<Similarity, string> = {
  document: say("alerts.similarAlerts.sameDocument"),
  place: say("alerts.similarAlerts.nearAndSoon"),
  contact: say("alerts.similarAlerts.sameContact"),
};

/** `Same document, same contact` */
const whySimilar = ({ similar_by }: SimilarAlert) => capital(similar_by.map((reason) => words[reason]).join(", "));

/** Alerts that resemble one, and why; nothing where none does. */
export function SimilarAlerts({ alerts }: { alerts: SimilarAlert[] }) {
  if (alerts.length === 0) return null;
  const columns: Column<SimilarAlert>[] = alertColumns(false);
  columns.splice(-1, 0, { label: say("alerts.similarAlerts.similarBy"), cell: whySimilar });
  return (
    <section className="panel overflow-hidden" aria-labelledby="similar">
      <div className="panel-head">
        <h2 id="similar">{say("alerts.similarAlerts.similarAlerts")}</h2>
      </div>
      <Table
        caption={say("alerts.similarAlerts.similarAlerts")}
        rows={alerts}
        columns={columns}
        keyOf={({ id }) => id}
      />
    </section>
  );
}
