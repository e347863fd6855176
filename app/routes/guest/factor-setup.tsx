import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { Field, type FieldState } from "../../components/form/field.tsx";
import { Form } from "../../components/form/form.tsx";
import { type Qr, QrDrawing } from "../../components/scan/qr-drawing.tsx";

type FactorSetupProps = {
  secret: string;
  qr: Qr;
  code: FieldState;
  /** The address's search, which the form keeps. */
  action: string;
  /** Whether the user can open no other page before setting one up. */
  isLocked: boolean;
};

/** The secret for an authenticator app, scanned or typed, and its first one-time code. */
export function FactorSetup({ secret, qr, code, action, isLocked }: FactorSetupProps) {
  return (
    <>
      <h1>{t("common.setUpAuthenticatorApp")}</h1>
      <ol className="mt-3 mb-6 grid list-decimal gap-1 pl-5">
        <li>{t("guest.factorSetup.scanThisQrCode")}</li>
        <li>{t("guest.factorSetup.typeTheSixDigits")}</li>
      </ol>
      <QrDrawing qr={qr} label={t("guest.factorSetup.qrCode")} width={232} />
      <p className="mt-4">{t("guest.factorSetup.typeThisSecret")}</p>
      <p className="mt-1 mb-6">
        <code className="text-lg font-semibold break-words select-all">{grouped(secret)}</code>
      </p>
      <Form method="post" action={`/profile/second-factor${action}`} className="grid gap-5" noValidate>
        <Field field={code} label={t("common.oneTimeCode")} autoComplete="one-time-code" inputMode="numeric" />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <button className="btn btn-primary px-6" type="submit" name="intent" value="confirm">
            {t("common.confirm")}
          </button>
          <Leave isLocked={isLocked} label={t("common.cancel")} />
        </div>
      </Form>
    </>
  );
}

/** Leads back to My profile, or signs out users who can open no other page. It stands in a form. */
export const Leave = ({ isLocked, label }: { isLocked: boolean; label: string }) =>
  isLocked ? (
    <button className="btn btn-quiet" type="submit" formAction="/logout">
      {t("common.signOut")}
    </button>
  ) : (
    <Link className="inline-flex min-h-10 items-center font-medium" to="/profile">
      {label}
    </Link>
  );

const grouped = (secret: string) => secret.replace(/(.{4})(?=.)/g, "$1 ");
