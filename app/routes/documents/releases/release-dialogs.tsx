import type { SubmissionResult } from "@conform-to/react";
import { t } from "#lib/messages/staff.ts";
import type { Release } from "#provider/contract/releases.ts";
import { useDialog } from "../../../components/dialog/dialog.tsx";
import { FormDialog } from "../../../components/dialog/form-dialog.tsx";
import { Field } from "../../../components/form/field.tsx";
import { formState } from "../../../components/form/form-state.ts";

type ReleaseDialogsProps = { release: Release; mayRelease: boolean; reply: SubmissionResult | undefined };

/** Ask before something is released, returned or given up; each sends the version that the page showed when it was opened. */
export function ReleaseDialogs({ release, mayRelease, reply }: ReleaseDialogsProps) {
  const { open, closeTo } = useDialog();
  const { name, number, drafter, act, version } = release;
  const { field, values } = formState({ version: String(version) }, reply);
  // Also after a refusal, so that a second press releases nothing newer unseen.
  const seen = <input type="hidden" name="version" value={values.version} />;
  if (open === "release" && mayRelease) {
    return (
      <FormDialog
        title={t("documents.releases.releaseQuestion", { name })}
        lead={
          act === "issue"
            ? t("documents.releases.effectOfIssue", { number })
            : t("documents.releases.effectOfChange", { number })
        }
        confirm={t("documents.releases.releaseNow")}
        intent="release"
        {...{ reply, closeTo }}
      >
        {seen}
      </FormDialog>
    );
  }
  if (open === "return" && mayRelease) {
    return (
      <FormDialog
        title={t("documents.releases.returnQuestion", { name, drafter })}
        lead={t("documents.releases.effectOfReturn", { drafter })}
        confirm={t("documents.releases.returnNow")}
        intent="return"
        {...{ reply, closeTo }}
      >
        {seen}
        <Field
          field={field("reason")}
          label={t("common.reason")}
          hint={t("documents.releases.reasonHint")}
          rows={3}
          isRequired
        />
      </FormDialog>
    );
  }
  if (open !== "give-up" || !release.may_give_up) return null;
  return (
    <FormDialog
      title={t("documents.releases.giveUpQuestion", { name })}
      lead={t("documents.releases.effectOfGivingUp")}
      confirm={t("documents.releases.giveUpNow")}
      intent="give-up"
      isDanger
      {...{ reply, closeTo }}
    />
  );
}
