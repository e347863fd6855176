import type { SubmissionResult } from "@conform-to/react";
import type { SealKey } from "#provider/contract/seal-keys.ts";
import { useDialog } from "../../components/dialog.tsx";
import { Empty } from "../../components/empty.tsx";
import { showInstant } from "../../components/format.ts";
import { RowAction } from "../../components/row-action.tsx";
import { SealKeyChip } from "../../components/seal-key-chip.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { RevokeDialog, RotateDialog } from "./seal-key-dialogs.tsx";

type SealKeysTabProps = {
  keys: SealKey[];
  timeZone: string;
  mayEdit: boolean;
  reply: SubmissionResult | undefined;
};

/** The company profile's list of seal keys, with the dialogs that rotate and revoke them. */
export default function SealKeysTab({ keys, timeZone, mayEdit, reply }: SealKeysTabProps) {
  const { open, at, openTo, closeTo } = useDialog();
  const chosen = keys.find(({ id }) => String(id) === at);
  return (
    <>
      <p className="max-w-[44rem] px-5 pt-4 pb-3 max-md:px-4">
        The key in use signs your sealed PDFs and codes. A retired key stays valid for what it signed.{" "}
        <a href="/seals">How others check seals</a>
      </p>
      {keys.length > 0 ? (
        <Table
          caption="Seal keys"
          rows={keys}
          keyOf={({ id }) => id}
          columns={columnsOf(timeZone, mayEdit ? (id) => openTo("revoke-seal-key", id) : undefined)}
        />
      ) : (
        <Empty message="There is no seal key yet: it is made with your first seal." />
      )}
      {mayEdit && open === "rotate-seal-key" && <RotateDialog reply={reply} closeTo={closeTo} />}
      {mayEdit && open === "revoke-seal-key" && chosen && (
        <RevokeDialog sealKey={chosen} reply={reply} closeTo={closeTo} />
      )}
    </>
  );
}

const columnsOf = (timeZone: string, revoke: ((id: number) => string) | undefined): Column<SealKey>[] => [
  { label: "Key", cell: ({ short_id }) => <span className="whitespace-nowrap">{short_id}</span> },
  { label: "State", cell: ({ state }) => <SealKeyChip state={state} /> },
  { label: "Since", cell: ({ since }) => showInstant(since, timeZone) },
  { label: "Ended", cell: ({ ended_at }) => (ended_at ? showInstant(ended_at, timeZone) : "–") },
  {
    label: "Fingerprint",
    cell: ({ fingerprint }) => <span className="font-mono text-xs">{fingerprint.replaceAll(":", " ")}</span>,
  },
  ...(revoke
    ? [
        {
          label: "Action",
          className: "act",
          cell: ({ id, short_id, state }: SealKey) =>
            state !== "revoked" && <RowAction to={revoke(id)} verb="Revoke" name={`key ${short_id}`} />,
        },
      ]
    : []),
];
