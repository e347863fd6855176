import { say } from "#messages/staff.ts";
import type { Similarity } from "#provider/contract/alert-cases.ts";
import type { Alert } from "#provider/contract/alerts.ts";
import { type Column, Table } from "../../components/table.tsx";
import { alertColumns } from "./columns.tsx";

type SimilarAlert = Alert & { similar_by: Similarity[] };

const words: Record<Similarity, string> = {
  document: "same document",
  place: "within 2 km and 30 days",
  contact: "same contact",
};

/** `Same document, same contact` */
const whySimilar = ({ similar_by }: SimilarAlert) => {
  const sentence = similar_by.map((reason) => words[reason]).join(", ");
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
};

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
