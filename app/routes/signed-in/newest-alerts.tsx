import { Link } from "react-router";
import { say } from "#lib/messages/staff.ts";
import type { Alert } from "#provider/contract/alerts.ts";
import { AlertCell } from "../../components/scan/alert-cell.tsx";
import { Table } from "../../components/list/table.tsx";

/** The newest alerts, completed ones as well. */
export const NewestAlerts = ({ alerts }: { alerts: Alert[] }) => (
  <section className="panel mb-5 overflow-hidden" aria-labelledby="newest-alerts">
    <div className="panel-head">
      <h2 id="newest-alerts">{say("signed-in.newestAlerts.newestAlerts")}</h2>
      <Link className="text-sm font-semibold" to="/alerts">
        {say("signed-in.newestAlerts.viewAllAlerts")}
      </Link>
    </div>
    <Table
      caption={say("signed-in.newestAlerts.newestAlerts")}
      rows={alerts}
      keyOf={({ id }) => id}
      columns={[
        {
          label: say("common.name"),
          cell: ({ id, document }) => (
            <a className="main" href={`/alerts/${id}`}>
              {document}
            </a>
          ),
        },
        { label: say("common.alert"), className: "md:w-72", cell: (alert) => <AlertCell {...alert} /> },
        { label: say("common.date"), cell: ({ date }) => <span className="whitespace-nowrap">{date}</span> },
      ]}
    />
  </section>
);
