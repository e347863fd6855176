import type { SubmissionResult } from "@conform-to/react";
import type { ReactNode } from "react";
import { Form } from "react-router";
import type { RevocationReason, SealKey } from "#provider/contract/seal-keys.ts";
import { CloseLink, Dialog, DialogProblems } from "../../components/dialog.tsx";
import { Field } from "../../components/field.tsx";
import { formState } from "../../components/form-state.ts";

type SharedProps = { reply: SubmissionResult | undefined; closeTo: string };

/** Asks before the company gets a new key. */
export const RotateDialog = ({ keys, ...props }: SharedProps & { keys: SealKey[] }) => (
  <KeyDialog {...props} title="Make a new seal key?" intent="rotate-seal-key" confirm="Make new key">
    <p>
      {keys.some(({ state }) => state === "active")
        ? "The new key is published now and used in a day. The one in use is retired then: what it signed stays valid, and it never signs again."
        : "It is used from the next seal on."}
    </p>
  </KeyDialog>
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
    <KeyDialog
      {...props}
      title={`Revoke key ${short_id}?`}
      intent="revoke-seal-key"
      confirm="Revoke key"
      isDanger
      fields={
        <>
          <input type="hidden" name="key" value={id} />
          <Field
            field={field("revoked_reason")}
            label="Reason"
            hint="It is published with the key"
            options={Object.entries(reasons).map(([value, label]) => ({ value, label }))}
          />
        </>
      }
    >
      <p>
        Whoever checks offline no longer accepts what this key signed; here, documents stay as they are. It can’t be
        undone. {state === "active" && `The next seal has ${next ? `key ${next.short_id}` : "a new key"}.`}
      </p>
    </KeyDialog>
  );
}

type KeyDialogProps = SharedProps & {
  title: string;
  intent: string;
  confirm: string;
  isDanger?: boolean;
  fields?: ReactNode;
  children: ReactNode;
};

function KeyDialog({ reply, closeTo, title, intent, confirm, isDanger, fields, children }: KeyDialogProps) {
  const { summary } = formState({}, reply);
  return (
    <Dialog title={title} lead={children} closeTo={closeTo}>
      <div className="mt-4">
        <DialogProblems errors={summary.filter(({ fieldId }) => !fieldId)} />
      </div>
      <Form method="post" className="grid gap-4" noValidate>
        {fields}
        <div className="modal-foot !mt-2">
          <CloseLink to={closeTo} />
          <button
            type="submit"
            className={`btn ${isDanger ? "btn-error" : "btn-primary"}`}
            name="intent"
            value={intent}
          >
            {confirm}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
