import { t } from "#lib/messages/staff.ts";
import type { Similarity } from "#provider/contract/alert-cases.ts";
import type { Alert } from "#provider/contract/alerts.ts";
import { type Column, Table } from "../../components/list/table.tsx";
import { alertColumns } from "./columns.tsx";

type SimilarAlert = Alert & { similar_by: Similarity[] };

type Position = { position: "first" | "other" };

const words: Record<Similarity, (at: Position) => string> = {
  document: (at) => t("alerts.similarAlerts.sameDocument", at),
  place: (at) => t("alerts.similarAlerts.nearAndSoon", at),
  contact: (at) => t("alerts.similarAlerts.sameContact", at),
};

/** `Same document, same contact` */
export function whySimilar({ similar_by }: Pick<SimilarAlert, "similar_by">): string {
  const [first = "", ...others] = similar_by.map((reason, n) =>
    words[reason]({ position: n === 0 ? "first" : "other" }),
  );
  return others.reduce((before, reason) => t("alerts.similarAlerts.reasons", { first: before, second: reason }), first);
}

/** Alerts that resemble one, and why; nothing if none does. */
export function SimilarAlerts({ alerts }: { alerts: SimilarAlert[] }) {
  if (alerts.length === 0) return null;
  const columns: Column<SimilarAlert, string>[] = alertColumns().map(({ sort: _, ...column }) => column);
  columns.splice(-1, 0, { label: t("alerts.similarAlerts.similarBy"), cell: whySimilar });
  return (
    <section className="panel overflow-hidden" aria-labelledby="similar">
      <div className="panel-head">
        <h2 id="similar">{t("alerts.similarAlerts.similarAlerts")}</h2>
      </div>
      <Table caption={t("alerts.similarAlerts.similarAlerts")} rows={alerts} columns={columns} keyOf={({ id }) => id} />
    </section>
  );
}
