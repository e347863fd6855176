import { KeyRound, OctagonAlert, TimerOff } from "lucide-react";
import { t } from "#lib/messages/staff.ts";
import { CloseLink, Dialog, DialogName, useDialog } from "../dialog/dialog.tsx";
import { Form } from "../form/form.tsx";
import { Chip } from "../scan/chip.tsx";
import { showDate, showInstant } from "../text/format.ts";
import { RowAction } from "../list/row-action.tsx";
import { type Column, Table } from "../list/table.tsx";

type ApiKey = {
  id: number;
  name: string;
  ending: string;
  scope: "read" | "write" | "scim";
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
  const keyToRevoke = open === "revoke-api-key" ? keys.find(({ id }) => String(id) === at) : undefined;
  const columns = columnsOf(timeZone, (id) => openTo("revoke-api-key", id));
  return (
    <>
      <Table caption={t("common.apiKeys")} rows={keys} columns={columns} keyOf={({ id }) => id} />
      {keyToRevoke && <RevokeDialog {...keyToRevoke} closeTo={closeTo} />}
    </>
  );
}

const RevokeDialog = ({ id, name, closeTo }: Pick<ApiKey, "id" | "name"> & { closeTo: string }) => (
  <Dialog
    title={t("components.apiKeyTable.revokeTitle", { name })}
    lead={<p>{t("components.apiKeyTable.revokeEffect")}</p>}
    closeTo={closeTo}
  >
    <Form method="post" action={closeTo} className="modal-foot">
      <DialogName />
      <input type="hidden" name="api_key" value={id} />
      <CloseLink to={closeTo} />
      <button type="submit" className="btn btn-error" name="intent" value="revoke-api-key">
        {t("components.apiKeyTable.revokeApiKey")}
      </button>
    </Form>
  </Dialog>
);

const scopeWords = {
  read: t("components.apiKeyTable.read"),
  write: t("components.apiKeyTable.readChangeAndCreate"),
  scim: t("components.apiKeyTable.usersAndGroupsByScim"),
};

const columnsOf = (timeZone: string, revoke: (id: number) => string): Column<ApiKey>[] => [
  {
    label: t("common.name"),
    cell: ({ name, ending, exposed_at }) => (
      <div>
        {name}
        <small>
          <span className="code" translate="no">
            …{ending}
          </span>
        </small>
        {exposed_at && <Exposed at={showInstant(exposed_at, timeZone)} />}
      </div>
    ),
  },
  {
    label: t("components.apiKeyTable.mayDo"),
    cell: ({ scope, areas }) => (
      <div>
        {scopeWords[scope]}
        <small>{areas}</small>
      </div>
    ),
  },
  { label: t("components.apiKeyTable.validUntil"), cell: (key) => <Validity {...key} /> },
  {
    label: t("common.lastUsed"),
    cell: ({ last_used_at }) => (last_used_at ? showInstant(last_used_at, timeZone) : t("common.never")),
  },
  {
    label: t("common.action"),
    className: "act",
    cell: ({ id, name }) => (
      <RowAction
        to={revoke(id)}
        verb={t("components.apiKeyTable.revoke")}
        label={t("components.apiKeyTable.revokeKey", { name })}
      />
    ),
  },
];

/** Never by colour alone. */
const Validity = ({ expires_on, expired }: Pick<ApiKey, "expires_on" | "expired">) => (
  <div>
    <span className="whitespace-nowrap">{showDate(expires_on)}</span>
    <small>
      {expired ? (
        <Chip look={{ className: "is-idle", Icon: TimerOff }} word={t("components.apiKeyTable.expired")} />
      ) : (
        <Chip look={{ className: "is-ok", Icon: KeyRound }} word={t("components.apiKeyTable.valid")} />
      )}
    </small>
  </div>
);

const Exposed = ({ at }: { at: string }) => (
  <small className="flex gap-1 !text-bad">
    <OctagonAlert className="ico shrink-0" />
    <span>{t("components.apiKeyTable.wasSentInAddress", { at })}</span>
  </small>
);
