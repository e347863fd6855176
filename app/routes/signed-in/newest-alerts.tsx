import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import type { Alert } from "#provider/contract/alerts.ts";
import { AlertCell } from "../../components/scan/alert-cell.tsx";
import { Table } from "../../components/list/table.tsx";

/** The newest alerts, completed ones as well. */
export const NewestAlerts = ({ alerts }: { alerts: Alert[] }) => (
  <section className="panel mb-5 overflow-hidden" aria-labelledby="newest-alerts">
    <div className="panel-head">
      <h2 id="newest-alerts">{t("signed-in.newestAlerts.newestAlerts")}</h2>
      <Link className="text-sm font-semibold" to="/alerts">
        {t("signed-in.newestAlerts.viewAllAlerts")}
      </Link>
    </div>
    <Table
      caption={t("signed-in.newestAlerts.newestAlerts")}
      rows={alerts}
      keyOf={({ id }) => id}
      columns={[
        {
          label: t("common.name"),
          cell: ({ id, document }) => (
            <a className="main" href={`/alerts/${id}`}>
              {document}
            </a>
          ),
        },
        { label: t("common.alert"), className: "md:w-72", cell: (alert) => <AlertCell {...alert} /> },
        { label: t("common.date"), cell: ({ date }) => <span className="whitespace-nowrap">{date}</span> },
      ]}
    />
  </section>
);
