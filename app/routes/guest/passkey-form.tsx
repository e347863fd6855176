import { Fingerprint } from "lucide-react";
import { type ReactNode, use, useEffect } from "react";
import { t } from "#lib/messages/staff.ts";
import { PageUserInput } from "../../components/form/form.tsx";
import { NonceContext } from "../../components/frame/nonce.ts";
import { offerPasskeys } from "./offer-passkeys.ts";

type PasskeyFormProps = {
  kind: "get" | "create";
  action: string;
  /** The address of what the browser is asked. */
  options: string;
  label: string;
  isPrimary?: boolean;
  /** Other fields. */
  children?: ReactNode;
};

/** A form that a passkey fills in; hidden from browsers without scripts or passkeys. */
export function PasskeyForm({ kind, action, options, label, isPrimary = false, children }: PasskeyFormProps) {
  const nonce = use(NonceContext);
  // Of a page that other scripts have opened.
  useEffect(offerPasskeys, []);
  return (
    <>
      <form method="post" action={action} className="grid gap-5" hidden data-passkey={kind} data-options={options}>
        <PageUserInput />
        <input type="hidden" name="response" />
        {children}
        <div>
          <button className={`btn ${isPrimary ? "btn-primary px-6" : "btn-quiet"}`} type="submit">
            <Fingerprint className="ico" />
            {label}
          </button>
          <p className="field-error mt-2" role="alert" data-failed hidden>
            {t("guest.passkeyForm.notUsed")}
          </p>
        </div>
      </form>
      <script nonce={nonce} dangerouslySetInnerHTML={{ __html: `(${offerPasskeys})()` }} suppressHydrationWarning />
    </>
  );
}

type UsePasskeyProps = { page: "/login" | "/confirm"; parameters: URLSearchParams };

/** In place of what a page asks for. */
export const UsePasskey = ({ page, parameters }: UsePasskeyProps) => (
  <div className="mt-6">
    <PasskeyForm
      kind="get"
      action={`${page}/passkey?${parameters}`}
      options={`${page}/passkey/options`}
      label={t("guest.passkeyForm.useAPasskey")}
    />
  </div>
);

/** What the address says about a passkey that was refused. */
export const passkeyErrors = (parameters: URLSearchParams) =>
  parameters.has("passkey") ? [{ message: t("guest.passkeyForm.notAccepted") }] : [];
