import type { SubmissionResult } from "@conform-to/react";
import { Link } from "react-router";
import { t, tRich } from "#lib/messages/staff.ts";
import type { IdentityProvider } from "#provider/contract/single-sign-on.ts";
import { CheckboxField } from "../../components/form/checkbox-field.tsx";
import { useDialog } from "../../components/dialog/dialog.tsx";
import { ErrorSummary } from "../../components/form/error-summary.tsx";
import { Facts } from "../../components/record/facts.tsx";
import { Field } from "../../components/form/field.tsx";
import { formState } from "../../components/form/form-state.ts";
import { Form } from "../../components/form/form.tsx";
import { formValues } from "../../components/record/record-fields.ts";
import { readForm, unreadableForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { requireSingleSignOn } from "../../server/sessions/single-sign-on.ts";
import type { Route } from "./+types/single-sign-on";
import { RemoveSingleSignOn } from "./remove-single-sign-on.tsx";
import { SettingPage } from "../../components/frame/setting-page.tsx";
import { changeSingleSignOn, singleSignOnForms } from "./single-sign-on.server.ts";

export async function loader({ context }: Route.LoaderArgs) {
  requireSingleSignOn();
  return { identityProvider: await getProvider(context).getIdentityProvider() };
}

export async function action({ request, context }: Route.ActionArgs) {
  const reply = changeSingleSignOn(context, await readForm(request, ...singleSignOnForms));
  if (!reply) throw unreadableForm();
  return reply;
}

/** The form of the company's own identity provider, with the addresses that are to be allowed there. */
export default function SingleSignOn({ loaderData: { identityProvider }, actionData: reply }: Route.ComponentProps) {
  const { open, closeTo } = useDialog();
  const isConfigured = identityProvider.issuer !== "";
  const isRemoving = isConfigured && open === "remove-single-sign-on";
  return (
    <SettingPage
      title={t("common.singleSignOn")}
      lead={tRich("settings.singleSignOn.howItWorks", { link: (words) => <Link to="/users/roles">{words}</Link> })}
      hasErrors={Boolean(reply?.error)}
    >
      {isConfigured && <Addresses {...identityProvider} />}
      <IdentityProviderForm identityProvider={identityProvider} reply={isRemoving ? undefined : reply} />
      {isRemoving && <RemoveSingleSignOn reply={reply} closeTo={closeTo} />}
    </SettingPage>
  );
}

const Addresses = ({ sign_in_address, return_address, sign_out_address }: IdentityProvider) => (
  <div className="border-b border-base-300 px-5 py-2 [overflow-wrap:anywhere] max-md:px-4">
    <Facts
      isNarrow
      facts={[
        [
          t("settings.singleSignOn.signInAddress"),
          <a key="sign-in" href={sign_in_address}>
            {sign_in_address}
          </a>,
        ],
        [t("settings.singleSignOn.redirectUri"), return_address],
        [t("settings.singleSignOn.postLogoutRedirectUri"), sign_out_address],
      ]}
    />
  </div>
);

type IdentityProviderFormProps = { identityProvider: IdentityProvider; reply: SubmissionResult | undefined };

function IdentityProviderForm({ identityProvider, reply }: IdentityProviderFormProps) {
  const { has_secret: hasSecret, issuer } = identityProvider;
  const { field, summary, version } = formState(formValues(identityProvider), reply, ["passwords_off"]);
  return (
    <Form method="post" data-unsaved={reply ? "" : undefined} noValidate>
      {issuer && <input type="hidden" name="version" value={version} />}
      <div className="grid max-w-[44rem] gap-5 px-5 py-5 max-md:px-4">
        <ErrorSummary errors={summary} />
        <Field
          field={field("issuer")}
          label={t("settings.singleSignOn.issuer")}
          hint={t("settings.singleSignOn.likeAddress", { address: "https://login.company.example" })}
          spellCheck={false}
          isRequired
        />
        <Field field={field("client_id")} label={t("settings.singleSignOn.clientId")} spellCheck={false} isRequired />
        <Field
          field={field("client_secret")}
          label={t("settings.singleSignOn.clientSecret")}
          hint={hasSecret ? t("settings.singleSignOn.secretStoredHint") : t("settings.singleSignOn.secretHint")}
          type="password"
          autoComplete="new-password"
        />
        <Field
          field={field("groups_claim")}
          label={t("settings.singleSignOn.groupsClaim")}
          hint={t("settings.singleSignOn.groupsClaimHint")}
          spellCheck={false}
        />
        <CheckboxField
          field={field("passwords_off")}
          label={t("settings.singleSignOn.switchPasswordsOff")}
          hint={t("settings.singleSignOn.passwordsOffHint")}
        />
      </div>
      <div className="panel-foot flex flex-wrap items-center gap-3 !py-4">
        <button type="submit" className="btn btn-primary" name="intent" value="set-identity-provider">
          {issuer ? t("common.save") : t("settings.singleSignOn.setUp")}
        </button>
        {issuer && (
          <Link className="btn btn-plain !text-bad sm:ml-auto" to="?dialog=remove-single-sign-on" preventScrollReset>
            {t("settings.removeSingleSignOn.confirm")}
          </Link>
        )}
      </div>
    </Form>
  );
}
