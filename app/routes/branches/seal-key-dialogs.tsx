import type { SubmissionResult } from "@conform-to/react";
import type { RevocationReason, SealKey } from "#provider/contract/seal-keys.ts";
import { Field } from "../../components/field.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { formState } from "../../components/form-state.ts";

type SharedProps = { reply: SubmissionResult | undefined; closeTo: string };

/** Asks before the company gets a new key. */
export const RotateDialog = ({ keys, ...props }: SharedProps & { keys: SealKey[] }) => (
  <FormDialog
    {...props}
    title="Make a new seal key?"
    lead={
      <p>
        {keys.some(({ state }) => state === "active")
          ? "The new key is published now and used in a day. The one in use is retired then: what it signed stays valid, and it never signs again."
          : "It is used from the next seal on."}
      </p>
    }
    intent="rotate-seal-key"
    confirm="Make new key"
  />
);

const reasons: Record<RevocationReason, string> = {
  compromised: "Somebody else may have the key",
  superseded: "Another key replaces it",
  unspecified: "Another reason",
};

type RevokeProps = SharedProps & { sealKey: SealKey; next: SealKey | undefined };

/** Asks before one of the company's keys is revoked, and for the reason. */
export function RevokeDialog({ sealKey: { id, short_id, state }, next, ...props }: RevokeProps) {
  const { field } = formState({}, props.reply);
  return (
    <FormDialog
      {...props}
      title={`Revoke key ${short_id}?`}
      lead={
        <p>
          Whoever checks offline no longer accepts what this key signed; here, documents stay as they are. It can’t be
          undone. {state === "active" && `The next seal has ${next ? `key ${next.short_id}` : "a new key"}.`}
        </p>
      }
      intent="revoke-seal-key"
      confirm="Revoke key"
      isDanger
    >
      <input type="hidden" name="key" value={id} />
      <Field
        field={field("revoked_reason")}
        label="Reason"
        hint="It is published with the key"
        options={Object.entries(reasons).map(([value, label]) => ({ value, label }))}
      />
    </FormDialog>
  );
}
