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
import { PasswordInput } from "../../components/form/password-input.tsx";
import { formValues } from "../../components/record/record-fields.ts";
import { RemoveSingleSignOn } from "./remove-single-sign-on.tsx";

type SingleSignOnTabProps = { identityProvider: IdentityProvider; reply: SubmissionResult | undefined };

/** The company profile's form of its own identity provider, with the addresses that are to be allowed there. */
export default function SingleSignOnTab({ identityProvider, reply }: SingleSignOnTabProps) {
  const { open, closeTo } = useDialog();
  const isConfigured = identityProvider.issuer !== "";
  const isRemoving = isConfigured && open === "remove-single-sign-on";
  return (
    <>
      <p className="max-w-[44rem] px-5 pt-4 pb-3 max-md:px-4">
        {tRich("branches.singleSignOnTab.howItWorks", { link: (words) => <Link to="/users/roles">{words}</Link> })}
      </p>
      {isConfigured && <Addresses {...identityProvider} />}
      <IdentityProviderForm identityProvider={identityProvider} reply={isRemoving ? undefined : reply} />
      {isRemoving && <RemoveSingleSignOn reply={reply} closeTo={closeTo} />}
    </>
  );
}

const Addresses = ({ sign_in_address, return_address, sign_out_address }: IdentityProvider) => (
  <div className="border-t border-base-300 px-5 py-2 [overflow-wrap:anywhere] max-md:px-4">
    <Facts
      isNarrow
      facts={[
        [
          t("branches.singleSignOnTab.signInAddress"),
          <a key="sign-in" href={sign_in_address}>
            {sign_in_address}
          </a>,
        ],
        [t("branches.singleSignOnTab.redirectUri"), return_address],
        [t("branches.singleSignOnTab.postLogoutRedirectUri"), sign_out_address],
      ]}
    />
  </div>
);

function IdentityProviderForm({ identityProvider, reply }: SingleSignOnTabProps) {
  const { has_secret: hasSecret, issuer } = identityProvider;
  const { field, summary, version } = formState(formValues(identityProvider), reply);
  return (
    <Form method="post" className="border-t border-base-300" data-unsaved={reply ? "" : undefined} noValidate>
      {issuer && <input type="hidden" name="version" value={version} />}
      <div className="grid max-w-[44rem] gap-5 px-5 py-5 max-md:px-4">
        <ErrorSummary errors={summary} />
        <Field
          field={field("issuer")}
          label={t("branches.singleSignOnTab.issuer")}
          hint={t("branches.singleSignOnTab.likeAddress", { address: "https://login.company.example" })}
          spellCheck={false}
          isRequired
        />
        <Field
          field={field("client_id")}
          label={t("branches.singleSignOnTab.clientId")}
          spellCheck={false}
          isRequired
        />
        <Field
          field={field("client_secret")}
          label={t("branches.singleSignOnTab.clientSecret")}
          hint={hasSecret ? t("branches.singleSignOnTab.secretStoredHint") : t("branches.singleSignOnTab.secretHint")}
          type="password"
          Input={PasswordInput}
          autoComplete="new-password"
        />
        <Field
          field={field("groups_claim")}
          label={t("branches.singleSignOnTab.groupsClaim")}
          hint={t("branches.singleSignOnTab.groupsClaimHint")}
          spellCheck={false}
        />
        <CheckboxField
          field={field("passwords_off")}
          label={t("branches.singleSignOnTab.switchPasswordsOff")}
          hint={t("branches.singleSignOnTab.passwordsOffHint")}
        />
      </div>
      <div className="panel-foot flex flex-wrap items-center gap-3 !py-4">
        <button type="submit" className="btn btn-primary" name="intent" value="set-identity-provider">
          {issuer ? t("common.save") : t("branches.singleSignOnTab.setUp")}
        </button>
        {issuer && (
          <Link
            className="btn btn-plain !text-bad sm:ml-auto"
            to="?tab=single-sign-on&dialog=remove-single-sign-on"
            preventScrollReset
          >
            {t("branches.removeSingleSignOn.confirm")}
          </Link>
        )}
      </div>
    </Form>
  );
}
