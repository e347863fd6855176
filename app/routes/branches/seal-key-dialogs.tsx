import type { SubmissionResult } from "@conform-to/react";
import { t } from "#lib/messages/staff.ts";
import type { RevocationReason, SealKey } from "#provider/contract/seal-keys.ts";
import { Field } from "../../components/form/field.tsx";
import { FormDialog } from "../../components/dialog/form-dialog.tsx";
import { formState } from "../../components/form/form-state.ts";

type SharedProps = { reply: SubmissionResult | undefined; closeTo: string };

/** Asks before the company gets a new key. */
export const RotateDialog = ({ keys, ...props }: SharedProps & { keys: SealKey[] }) => (
  <FormDialog
    {...props}
    title={t("branches.sealKeyDialogs.rotateTitle")}
    lead={
      <p>
        {keys.some(({ state }) => state === "active")
          ? t("branches.sealKeyDialogs.rotateEffect")
          : t("branches.sealKeyDialogs.firstKeyEffect")}
      </p>
    }
    intent="rotate-seal-key"
    confirm={t("branches.profile.makeNewKey")}
  />
);

const reasons: Record<RevocationReason, string> = {
  compromised: t("branches.sealKeyDialogs.compromised"),
  superseded: t("branches.sealKeyDialogs.superseded"),
  unspecified: t("branches.sealKeyDialogs.anotherReason"),
};

type RevokeProps = SharedProps & { sealKey: SealKey; next: SealKey | undefined };

/** Asks before one of the company's keys is revoked, and for the reason. */
export function RevokeDialog({ sealKey: { id, short_id, state }, next, ...props }: RevokeProps) {
  const { field } = formState({}, props.reply);
  return (
    <FormDialog
      {...props}
      title={t("branches.sealKeyDialogs.revokeTitle", { short_id })}
      lead={
        <p>
          {t("branches.sealKeyDialogs.revokeEffect")}{" "}
          {state === "active" &&
            (next
              ? t("branches.sealKeyDialogs.nextSealHasKey", { short_id: next.short_id })
              : t("branches.sealKeyDialogs.nextSealHasNewKey"))}
        </p>
      }
      intent="revoke-seal-key"
      confirm={t("branches.sealKeyDialogs.revokeKey")}
      isDanger
    >
      <input type="hidden" name="key" value={id} />
      <Field
        field={field("revoked_reason")}
        label={t("common.reason")}
        hint={t("branches.sealKeyDialogs.reasonHint")}
        options={Object.entries(reasons).map(([value, label]) => ({ value, label }))}
      />
    </FormDialog>
  );
}
