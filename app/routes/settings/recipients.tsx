import type { SubmissionResult } from "@conform-to/react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { eraseRecipient, type RecipientSettings, updateRecipientSettings } from "#provider/contract/recipients.ts";
import { CheckboxField } from "../../components/form/checkbox-field.tsx";
import { CloseLink, Dialog, DialogProblems, useDialog } from "../../components/dialog/dialog.tsx";
import { ErrorSummary } from "../../components/form/error-summary.tsx";
import { Field } from "../../components/form/field.tsx";
import { formState } from "../../components/form/form-state.ts";
import { Form } from "../../components/form/form.tsx";
import { formValues } from "../../components/record/record-fields.ts";
import { SettingPage } from "../../components/frame/setting-page.tsx";
import { handleForm, readForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { getUser, may, requireOffer, requireRight } from "../../server/sessions/current-user.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/recipients";

export async function loader({ context }: Route.LoaderArgs) {
  requireOffer(context, "recipients");
  requireRight(context, "co_profile", "read", t("settings.recipients.seeAction"));
  const [settings, user] = [await getProvider(context).getRecipientSettings(), getUser(context)];
  return { settings, mayEdit: may(user, "co_profile", "write"), mayErase: may(user, "roles", "write") };
}

export async function action({ request, context }: Route.ActionArgs) {
  requireOffer(context, "recipients");
  const form = await readForm(request, updateRecipientSettings.body, eraseRecipient.body);
  const provider = getProvider(context);
  const leave = (notice: string) => redirectWithNotice(context, "/settings/recipients", notice);
  if (form.get("intent") === "erase-recipient") {
    return handleForm(form, {
      schema: eraseRecipient.body,
      async save(body) {
        const { erased } = await provider.eraseRecipient({ body });
        return leave(t("settings.recipients.wereErased", { count: erased }));
      },
    });
  }
  return handleForm(form, {
    schema: updateRecipientSettings.body,
    async save(body) {
      await provider.updateRecipientSettings({ body });
      return leave(t("settings.recipients.changesSaved"));
    },
  });
}

/** Whether and how the company sends documents to recipients. */
export default function Recipients({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { settings, mayEdit, mayErase } = loaderData;
  const { open, openTo, closeTo } = useDialog();
  const isErasing = mayErase && open === "erase-recipient";
  return (
    <SettingPage
      title={t("common.recipients")}
      lead={t("settings.recipients.lead")}
      hasErrors={Boolean(reply?.error)}
      act={
        mayErase && (
          <Link className="btn btn-quiet" to={openTo("erase-recipient")} preventScrollReset>
            {t("settings.recipients.erase")}
          </Link>
        )
      }
    >
      <SettingsForm settings={settings} mayEdit={mayEdit} reply={isErasing ? undefined : reply} />
      {isErasing && <EraseDialog reply={reply} closeTo={closeTo} />}
    </SettingPage>
  );
}

type Replied = { reply: SubmissionResult | undefined };

function SettingsForm({ settings, mayEdit, reply }: Replied & { settings: RecipientSettings; mayEdit: boolean }) {
  const saved = { ...formValues(settings), recipient_days: String(settings.recipient_days || "") };
  const { field, summary } = formState(saved, reply, ["delivers", "delivery_pages", "delivery_news"]);
  return (
    <Form method="post" data-unsaved={reply ? "" : undefined} noValidate>
      <fieldset className="grid max-w-[44rem] gap-5 px-5 py-5 max-md:px-4" disabled={!mayEdit}>
        <legend className="sr-only">{t("common.recipients")}</legend>
        <ErrorSummary errors={summary} />
        <CheckboxField
          field={field("delivers")}
          label={t("settings.recipients.delivers")}
          hint={t("settings.recipients.deliversHint")}
        />
        <Field
          field={field("delivery_days")}
          label={t("settings.recipients.days")}
          hint={t("settings.recipients.daysHint")}
          inputMode="numeric"
          isRequired
        />
        <CheckboxField
          field={field("delivery_pages")}
          label={t("settings.recipients.pages")}
          hint={t("settings.recipients.pagesHint")}
        />
        <CheckboxField
          field={field("delivery_news")}
          label={t("settings.recipients.news")}
          hint={t("settings.recipients.newsHint")}
        />
        <Field
          field={field("recipient_days")}
          label={t("settings.recipients.deletedAfter")}
          hint={t("settings.recipients.deletedAfterHint")}
          inputMode="numeric"
        />
      </fieldset>
      {mayEdit && (
        <div className="panel-foot !py-4">
          <button type="submit" className="btn btn-primary" name="intent" value="set-recipients">
            {t("common.save")}
          </button>
        </div>
      )}
    </Form>
  );
}

function EraseDialog({ reply, closeTo }: Replied & { closeTo: string }) {
  const { field, summary } = formState({ email: "" }, reply);
  return (
    <Dialog
      title={t("settings.recipients.eraseTitle")}
      lead={
        <>
          <DialogProblems errors={summary.filter(({ fieldId }) => fieldId !== "email")} />
          <p>{t("settings.recipients.effectOfErasing")}</p>
        </>
      }
      closeTo={closeTo}
    >
      <Form method="post" className="mt-4 grid gap-4" noValidate>
        <Field field={field("email")} label={t("common.email")} type="email" autoComplete="off" isRequired />
        <div className="modal-foot !mt-2">
          <CloseLink to={closeTo} />
          <button type="submit" className="btn btn-error" name="intent" value="erase-recipient">
            {t("settings.recipients.erase")}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
