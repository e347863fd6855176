import { Plus } from "lucide-react";
import { Link } from "react-router";
import type { Webhook } from "#provider/contract/webhooks.ts";
import { Empty } from "../../components/empty.tsx";
import { showCount, showInstant } from "../../components/format.ts";
import { PageTitle } from "../../components/page-title.tsx";
import { RowAction } from "../../components/row-action.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { getProvider } from "../../server/provider/context.ts";
import { getUser, timeZoneOf } from "../../server/sessions/current-user.ts";
import type { Route } from "./+types/list";
import { WebhookChip } from "./chips.tsx";
import { requireWebhooks } from "./require-webhooks.server.ts";
import { Trouble } from "./trouble.tsx";
import { hostOf } from "./webhook-words.ts";

export async function loader({ context }: Route.LoaderArgs) {
  requireWebhooks(context);
  return { webhooks: await getProvider(context).listWebhooks(), timeZone: timeZoneOf(getUser(context)) };
}

/** The company's webhooks, of which those in trouble are named above. */
export default function Webhooks({ loaderData: { webhooks, timeZone } }: Route.ComponentProps) {
  const add = (
    <Link className="btn btn-primary" to="/webhooks/new">
      <Plus className="ico" />
      Add webhook
    </Link>
  );
  return (
    <>
      <PageTitle title="Webhooks" />
      <div className="page-head">
        <div>
          <h1>Webhooks</h1>
          <p className="lead">Your other programs are told at once of what happens to documents and alerts.</p>
        </div>
        {webhooks.length > 0 && <div className="page-acts">{add}</div>}
      </div>
      <Trouble webhooks={webhooks} />
      <section className="panel overflow-hidden" aria-label="Webhooks">
        {webhooks.length > 0 ? (
          <Table caption="Webhooks" rows={webhooks} columns={columns(timeZone)} keyOf={({ id }) => id} />
        ) : (
          <Empty
            title="No webhooks yet"
            message="A webhook is an address of yours to which each event is posted, signed as Standard Webhooks says."
          >
            {add}
          </Empty>
        )}
      </section>
    </>
  );
}

const columns = (timeZone: string): Column<Webhook>[] => [
  {
    label: "Name",
    cell: ({ id, name, url }) => (
      <div>
        <a className="main" href={`/webhooks/${id}`}>
          {name}
        </a>
        <small>{hostOf(url)}</small>
      </div>
    ),
  },
  { label: "State", cell: (webhook) => <WebhookChip {...webhook} /> },
  { label: "Events", cell: ({ events }) => showCount(events.length, "event") },
  { label: "Last delivered", cell: ({ succeeded_at }) => (succeeded_at ? showInstant(succeeded_at, timeZone) : "") },
  { label: "Waiting", cell: ({ waiting }) => waiting.toLocaleString("en-GB") },
  {
    label: "Actions",
    className: "act",
    cell: ({ id, name }) => (
      <>
        <RowAction to={`/webhooks/${id}`} verb="Deliveries" name={`of ${name}`} />
        <RowAction to={`/webhooks/${id}/edit`} verb="Edit" name={name} />
      </>
    ),
  },
];
