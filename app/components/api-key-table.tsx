import { KeyRound, OctagonAlert, TimerOff } from "lucide-react";
import { Form } from "react-router";
import { CloseLink, Dialog, DialogName, useDialog } from "./dialog.tsx";
import { showDate, showInstant } from "./format.ts";
import { RowAction } from "./row-action.tsx";
import { type Column, Table } from "./table.tsx";

type ApiKey = {
  id: number;
  name: string;
  ending: string;
  scope: "read" | "write";
  /** In words. */
  areas: string;
  expires_on: string;
  expired: boolean;
  last_used_at: string | null;
  exposed_at: string | null;
};

type ApiKeyTableProps = { keys: ApiKey[]; timeZone: string };

/** API keys, each with the way to revoke it, and the dialog that asks before. */
export function ApiKeyTable({ keys, timeZone }: ApiKeyTableProps) {
  const { open, at, openTo, closeTo } = useDialog();
  const chosen = open === "revoke-api-key" ? keys.find(({ id }) => String(id) === at) : undefined;
  const columns = columnsOf(timeZone, (id) => openTo("revoke-api-key", id));
  return (
    <>
      <Table caption="API keys" rows={keys} columns={columns} keyOf={({ id }) => id} />
      {chosen && <RevokeDialog {...chosen} closeTo={closeTo} />}
    </>
  );
}

const RevokeDialog = ({ id, name, closeTo }: Pick<ApiKey, "id" | "name"> & { closeTo: string }) => (
  <Dialog
    title={`Revoke the API key ${name}?`}
    lead={<p>Programs that use it are refused from now on. What they have done stays. It can’t be undone.</p>}
    closeTo={closeTo}
  >
    <Form method="post" action={closeTo} className="modal-foot">
      <DialogName />
      <input type="hidden" name="api_key" value={id} />
      <CloseLink to={closeTo} />
      <button type="submit" className="btn btn-error" name="intent" value="revoke-api-key">
        Revoke API key
      </button>
    </Form>
  </Dialog>
);

const scopeWords = { read: "Read", write: "Read, change and create" };

const columnsOf = (timeZone: string, revoke: (id: number) => string): Column<ApiKey>[] => [
  {
    label: "Name",
    cell: ({ name, ending, exposed_at }) => (
      <div>
        {name}
        <small>
          <span className="code">…{ending}</span>
        </small>
        {exposed_at && <Exposed at={showInstant(exposed_at, timeZone)} />}
      </div>
    ),
  },
  {
    label: "May do",
    cell: ({ scope, areas }) => (
      <div>
        {scopeWords[scope]}
        <small>{areas}</small>
      </div>
    ),
  },
  { label: "Valid until", cell: (key) => <Validity {...key} /> },
  {
    label: "Last used",
    cell: ({ last_used_at }) => (last_used_at ? showInstant(last_used_at, timeZone) : "Never"),
  },
  {
    label: "Action",
    className: "act",
    cell: ({ id, name }) => <RowAction to={revoke(id)} verb="Revoke" name={`API key ${name}`} />,
  },
];

/** Never by colour alone. */
const Validity = ({ expires_on, expired }: Pick<ApiKey, "expires_on" | "expired">) => (
  <div>
    <span className="whitespace-nowrap">{showDate(expires_on)}</span>
    <small>
      <span className={`status-chip ${expired ? "is-idle" : "is-ok"}`}>
        {expired ? <TimerOff className="ico" /> : <KeyRound className="ico" />}
        {expired ? "Expired" : "Valid"}
      </span>
    </small>
  </div>
);

const Exposed = ({ at }: { at: string }) => (
  <small className="flex gap-1 !text-bad">
    <OctagonAlert className="ico shrink-0" />
    <span>Sent in an address on {at}, where others can read it: revoke it</span>
  </small>
);
