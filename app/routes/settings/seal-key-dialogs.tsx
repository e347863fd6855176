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
    title={t("settings.sealKeyDialogs.rotateTitle")}
    lead={
      <p>
        {keys.some(({ state }) => state === "active")
          ? t("settings.sealKeyDialogs.rotateEffect")
          : t("settings.sealKeyDialogs.firstKeyEffect")}
      </p>
    }
    intent="rotate-seal-key"
    confirm={t("settings.sealKeys.makeNewKey")}
  />
);

const reasons: Record<RevocationReason, string> = {
  compromised: t("settings.sealKeyDialogs.compromised"),
  superseded: t("settings.sealKeyDialogs.superseded"),
  unspecified: t("settings.sealKeyDialogs.anotherReason"),
};

type RevokeProps = SharedProps & { sealKey: SealKey; next: SealKey | undefined };

/** Asks before one of the company's keys is revoked, and for the reason. */
export function RevokeDialog({ sealKey: { id, short_id, state, reaches_readers }, next, ...props }: RevokeProps) {
  const { field } = formState({}, props.reply);
  return (
    <FormDialog
      {...props}
      title={t("settings.sealKeyDialogs.revokeTitle", { short_id })}
      lead={
        <p>
          {t("settings.sealKeyDialogs.revokeEffect")}{" "}
          {!reaches_readers && `${t("settings.sealKeys.readersDoNotLearn", { short_id })} `}
          {state === "active" &&
            (next
              ? t("settings.sealKeyDialogs.nextSealHasKey", { short_id: next.short_id })
              : t("settings.sealKeyDialogs.nextSealHasNewKey"))}
        </p>
      }
      intent="revoke-seal-key"
      confirm={t("settings.sealKeyDialogs.revokeKey")}
      isDanger
    >
      <input type="hidden" name="key" value={id} />
      <Field
        field={field("revoked_reason")}
        label={t("common.reason")}
        hint={t("settings.sealKeyDialogs.reasonHint")}
        options={Object.entries(reasons).map(([value, label]) => ({ value, label }))}
      />
    </FormDialog>
  );
}
