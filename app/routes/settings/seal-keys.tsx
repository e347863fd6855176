import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import type { SealKey } from "#provider/contract/seal-keys.ts";
import { useDialog } from "../../components/dialog/dialog.tsx";
import { Empty } from "../../components/list/empty.tsx";
import { Form } from "../../components/form/form.tsx";
import { showInstant } from "../../components/text/format.ts";
import { RowAction } from "../../components/list/row-action.tsx";
import { SealKeyChip } from "../../components/scan/seal-key-chip.tsx";
import { type Column, Table } from "../../components/list/table.tsx";
import { readForm, unreadableForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { requireSealKeys } from "../../server/seals.ts";
import { getUser, may, timeZoneOf } from "../../server/sessions/current-user.ts";
import type { Route } from "./+types/seal-keys";
import { RevokeDialog, RotateDialog } from "./seal-key-dialogs.tsx";
import { changeSealKeys, sealKeyForms } from "./seal-keys.server.ts";
import { SettingPage } from "../../components/frame/setting-page.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  requireSealKeys();
  const provider = getProvider(context);
  const [keys, { name_beside_keys: isNamed }] = await Promise.all([provider.listSealKeys(), provider.getCompany()]);
  const user = getUser(context);
  return { keys, isNamed, mayEdit: may(user, "co_profile", "write"), timeZone: timeZoneOf(user) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const reply = changeSealKeys(context, await readForm(request, ...sealKeyForms));
  if (!reply) throw unreadableForm();
  return reply;
}

/** The company's seal keys, with the dialogs that rotate and revoke them. */
export default function SealKeys({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { keys, isNamed, mayEdit, timeZone } = loaderData;
  const { open, at, openTo, closeTo } = useDialog();
  const keyToRevoke = keys.find(({ id }) => String(id) === at);
  const outdated = keys.find(({ state, is_outdated }) => state === "active" && is_outdated);
  const unlisted = keys.filter(({ state, reaches_readers }) => state === "revoked" && !reaches_readers);
  const mayRotate = mayEdit && !keys.some(({ state }) => state === "next");
  return (
    <SettingPage
      title={t("common.sealKeys")}
      lead={
        <>
          {t("settings.sealKeys.howKeysAreUsed")} <a href="/seals">{t("settings.sealKeys.howOthersCheckSeals")}</a>
        </>
      }
      hasErrors={Boolean(reply?.error)}
      act={
        mayRotate && (
          <Link className="btn btn-primary" to={openTo("rotate-seal-key")} preventScrollReset>
            {t("settings.sealKeys.makeNewKey")}
          </Link>
        )
      }
    >
      {mayRotate && outdated && (
        <p className="max-w-[44rem] px-5 pt-4 max-md:px-4">
          {t("settings.sealKeys.outdated", { short_id: outdated.short_id })}
        </p>
      )}
      {unlisted.map(({ id, short_id }) => (
        <p key={id} className="max-w-[44rem] px-5 pt-4 max-md:px-4">
          {t("settings.sealKeys.readersDoNotLearn", { short_id })}
        </p>
      ))}
      {keys.length > 0 ? (
        <Table
          caption={t("common.sealKeys")}
          rows={keys}
          keyOf={({ id }) => id}
          columns={columnsOf(timeZone, mayEdit ? (id) => openTo("revoke-seal-key", id) : undefined)}
        />
      ) : (
        <Empty message={t("settings.sealKeys.none")} />
      )}
      <Naming isNamed={isNamed} mayEdit={mayEdit} />
      {mayEdit && open === "rotate-seal-key" && <RotateDialog keys={keys} reply={reply} closeTo={closeTo} />}
      {mayEdit && open === "revoke-seal-key" && keyToRevoke && (
        <RevokeDialog
          sealKey={keyToRevoke}
          next={keys.find(({ state }) => state === "next")}
          reply={reply}
          closeTo={closeTo}
        />
      )}
    </SettingPage>
  );
}

/** Whether the list of keys that everybody can read names the company, with the button that changes it. */
const Naming = ({ isNamed, mayEdit }: { isNamed: boolean; mayEdit: boolean }) => (
  <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-base-300 px-5 py-4 max-md:px-4">
    <p className="max-w-[44rem]">{isNamed ? t("settings.sealKeys.named") : t("settings.sealKeys.notNamed")}</p>
    {mayEdit && (
      <Form method="post" preventScrollReset>
        <input type="hidden" name="name_beside_keys" value={isNamed ? 0 : 1} />
        <button type="submit" className="btn btn-quiet" name="intent" value="name-seal-keys">
          {isNamed ? t("settings.sealKeys.stopNaming") : t("settings.sealKeys.startNaming")}
        </button>
      </Form>
    )}
  </div>
);

const columnsOf = (timeZone: string, revoke: ((id: number) => string) | undefined): Column<SealKey>[] => [
  {
    label: t("settings.sealKeys.key"),
    cell: ({ short_id }) => <span className="whitespace-nowrap">{short_id}</span>,
  },
  { label: t("common.state"), cell: ({ state }) => <SealKeyChip state={state} /> },
  { label: t("settings.sealKeys.made"), cell: ({ since }) => showInstant(since, timeZone) },
  {
    label: t("settings.sealKeys.usedFrom"),
    cell: ({ used_from }) => (used_from ? showInstant(used_from, timeZone) : "–"),
  },
  {
    label: t("settings.sealKeys.ended"),
    cell: ({ ended_at }) => (ended_at ? showInstant(ended_at, timeZone) : "–"),
  },
  {
    label: t("settings.sealKeys.fingerprint"),
    cell: ({ fingerprint }) => <span className="font-mono text-xs">{fingerprint.replaceAll(":", " ")}</span>,
  },
  ...(revoke
    ? [
        {
          label: t("common.action"),
          className: "act",
          cell: ({ id, short_id, state }: SealKey) =>
            state !== "revoked" && (
              <RowAction
                to={revoke(id)}
                verb={t("settings.sealKeys.revoke")}
                label={t("settings.sealKeys.revokeKey", { short_id })}
              />
            ),
        },
      ]
    : []),
];
