import { Link } from "react-router";
import type { Alert } from "#provider/contract/alerts.ts";
import { AlertCell } from "../../components/alert-cell.tsx";
import { Table } from "../../components/table.tsx";

/** The newest alerts, completed ones as well. */
export const NewestAlerts = ({ alerts }: { alerts: Alert[] }) => (
  <section className="panel mb-5 overflow-hidden" aria-labelledby="newest-alerts">
    <div className="panel-head">
      <h2 id="newest-alerts">Newest alerts</h2>
      <Link className="text-sm font-semibold" to="/alerts">
        View all alerts
      </Link>
    </div>
    <Table
      caption="Newest alerts"
      rows={alerts}
      keyOf={({ id }) => id}
      columns={[
        {
          label: "Name",
          cell: ({ id, document }) => (
            <a className="main" href={`/alerts/${id}`}>
              {document}
            </a>
          ),
        },
        { label: "Alert", className: "md:w-72", cell: (alert) => <AlertCell {...alert} /> },
        { label: "Date", cell: ({ date }) => <span className="whitespace-nowrap">{date}</span> },
      ]}
    />
  </section>
);
