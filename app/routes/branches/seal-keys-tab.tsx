import type { SubmissionResult } from "@conform-to/react";
import { t } from "#lib/messages/staff.ts";
import type { SealKey } from "#provider/contract/seal-keys.ts";
import { useDialog } from "../../components/dialog/dialog.tsx";
import { Empty } from "../../components/list/empty.tsx";
import { Form } from "../../components/form/form.tsx";
import { showInstant } from "../../components/text/format.ts";
import { RowAction } from "../../components/list/row-action.tsx";
import { SealKeyChip } from "../../components/scan/seal-key-chip.tsx";
import { type Column, Table } from "../../components/list/table.tsx";
import { RevokeDialog, RotateDialog } from "./seal-key-dialogs.tsx";

type SealKeysTabProps = {
  keys: SealKey[];
  /** Whether the published keys have the company's name. */
  isNamed: boolean;
  timeZone: string;
  mayEdit: boolean;
  reply: SubmissionResult | undefined;
};

/** The company profile's list of seal keys, with the dialogs that rotate and revoke them. */
export default function SealKeysTab({ keys, isNamed, timeZone, mayEdit, reply }: SealKeysTabProps) {
  const { open, at, openTo, closeTo } = useDialog();
  const keyToRevoke = keys.find(({ id }) => String(id) === at);
  return (
    <>
      <p className="max-w-[44rem] px-5 pt-4 pb-3 max-md:px-4">
        {t("branches.sealKeysTab.howKeysAreUsed")} <a href="/seals">{t("branches.sealKeysTab.howOthersCheckSeals")}</a>
      </p>
      {keys.length > 0 ? (
        <Table
          caption={t("common.sealKeys")}
          rows={keys}
          keyOf={({ id }) => id}
          columns={columnsOf(timeZone, mayEdit ? (id) => openTo("revoke-seal-key", id) : undefined)}
        />
      ) : (
        <Empty message={t("branches.sealKeysTab.none")} />
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
    </>
  );
}

/** Whether the list of keys that everybody can read names the company, with the button that changes it. */
const Naming = ({ isNamed, mayEdit }: Pick<SealKeysTabProps, "isNamed" | "mayEdit">) => (
  <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-base-300 px-5 py-4 max-md:px-4">
    <p className="max-w-[44rem]">{isNamed ? t("branches.sealKeysTab.named") : t("branches.sealKeysTab.notNamed")}</p>
    {mayEdit && (
      <Form method="post" preventScrollReset>
        <input type="hidden" name="name_beside_keys" value={isNamed ? 0 : 1} />
        <button type="submit" className="btn btn-quiet" name="intent" value="name-seal-keys">
          {isNamed ? t("branches.sealKeysTab.stopNaming") : t("branches.sealKeysTab.startNaming")}
        </button>
      </Form>
    )}
  </div>
);

const columnsOf = (timeZone: string, revoke: ((id: number) => string) | undefined): Column<SealKey>[] => [
  {
    label: t("branches.sealKeysTab.key"),
    cell: ({ short_id }) => <span className="whitespace-nowrap">{short_id}</span>,
  },
  { label: t("common.state"), cell: ({ state }) => <SealKeyChip state={state} /> },
  { label: t("branches.sealKeysTab.made"), cell: ({ since }) => showInstant(since, timeZone) },
  {
    label: t("branches.sealKeysTab.usedFrom"),
    cell: ({ used_from }) => (used_from ? showInstant(used_from, timeZone) : "–"),
  },
  {
    label: t("branches.sealKeysTab.ended"),
    cell: ({ ended_at }) => (ended_at ? showInstant(ended_at, timeZone) : "–"),
  },
  {
    label: t("branches.sealKeysTab.fingerprint"),
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
                verb={t("branches.sealKeysTab.revoke")}
                label={t("branches.sealKeysTab.revokeKey", { short_id })}
              />
            ),
        },
      ]
    : []),
];
