import { t } from "#lib/messages/staff.ts";
import { updateWallet } from "#provider/contract/wallet.ts";
import { walletFields } from "#provider/contract/wallet-fields.ts";
import { CheckboxField } from "../../components/form/checkbox-field.tsx";
import { ChoiceGroup } from "../../components/form/choice-group.tsx";
import { ErrorSummary } from "../../components/form/error-summary.tsx";
import { Form } from "../../components/form/form.tsx";
import { formState } from "../../components/form/form-state.ts";
import { SettingPage } from "../../components/frame/setting-page.tsx";
import { handleForm, readForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { requireOffer } from "../../server/sessions/current-user.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/wallet";

/** Whether the company's documents can be added to wallets, and what their holders may leave out. */

export async function loader({ context }: Route.LoaderArgs) {
  requireOffer(context, "wallets");
  return getProvider(context).getWallet();
}

export async function action({ request, context }: Route.ActionArgs) {
  requireOffer(context, "wallets");
  return handleForm(await readForm(request, updateWallet.body), {
    schema: updateWallet.body,
    async save(body) {
      const { active } = await getProvider(context).updateWallet({ body });
      return redirectWithNotice(
        context,
        "/settings/wallet",
        active ? t("settings.wallet.isOn") : t("settings.wallet.isOff"),
      );
    },
  });
}

const labels = {
  document_type: t("common.type"),
  document_subtype: t("common.subtype"),
  branch: t("common.branch"),
  pages: t("settings.wallet.numberOfPages"),
  code: t("settings.wallet.code"),
  name: t("common.name"),
  custom_fields: t("common.customProperties"),
};

export default function WalletSetting({ loaderData: { active, fields }, actionData: reply }: Route.ComponentProps) {
  const { field, summary, isReply } = formState({ active: active ? "1" : "", fields: "" }, reply, ["active"]);
  const ticked = [reply?.initialValue?.fields ?? []].flat().map(String);
  return (
    <SettingPage title={t("common.wallets")} lead={t("settings.wallet.lead")} hasErrors={Boolean(reply?.error)}>
      <Form method="post" data-unsaved={reply ? "" : undefined} noValidate>
        <div className="grid max-w-[44rem] gap-5 px-5 py-5 max-md:px-4">
          <ErrorSummary errors={summary} />
          <CheckboxField
            field={field("active")}
            label={t("settings.wallet.turnOn")}
            hint={t("settings.wallet.turnOnHint")}
          />
          <ChoiceGroup
            field={field("fields")}
            legend={t("settings.wallet.fields")}
            hint={t("settings.wallet.fieldsHint")}
            type="checkbox"
            options={walletFields.map((value) => ({ value, label: labels[value] }))}
            chosen={isReply ? ticked : fields}
          />
        </div>
        <div className="panel-foot !py-4">
          <button type="submit" className="btn btn-primary">
            {t("common.save")}
          </button>
        </div>
      </Form>
    </SettingPage>
  );
}
