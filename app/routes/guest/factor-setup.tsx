import { Form, Link } from "react-router";
import { Field, type FieldState } from "../../components/field.tsx";

type FactorSetupProps = {
  secret: string;
  qr: { side: number; path: string };
  code: FieldState;
  /** The address's search, which the form keeps. */
  action: string;
  /** Whether the user can open no other page before setting one up. */
  isLocked: boolean;
};

/** The secret for an authenticator app, scanned or typed, and its first one-time code. */
export function FactorSetup({ secret, qr: { side, path }, code, action, isLocked }: FactorSetupProps) {
  return (
    <>
      <h1>Set up authenticator app</h1>
      <ol className="mt-3 mb-6 grid list-decimal gap-1 pl-5">
        <li>Scan this QR code with the app.</li>
        <li>Type the six digits that the app then shows.</li>
      </ol>
      {/* Dark on white in both themes: cameras read no other. */}
      <svg
        className="rounded-lg border border-base-300"
        role="img"
        aria-label="QR code for the authenticator app"
        viewBox={`0 0 ${side} ${side}`}
        width={232}
        height={232}
        shapeRendering="crispEdges"
      >
        <rect width={side} height={side} fill="#ffffff" />
        <path d={path} fill="#000000" />
      </svg>
      <p className="mt-4">If the app can’t scan it, type this secret into it, for time-based codes:</p>
      <p className="mt-1 mb-6">
        <code className="text-lg font-semibold break-words select-all">{grouped(secret)}</code>
      </p>
      <Form method="post" action={`/profile/second-factor${action}`} className="grid gap-5" noValidate>
        <Field field={code} label="One-time code" autoComplete="one-time-code" inputMode="numeric" />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <button className="btn btn-primary px-6" type="submit" name="intent" value="confirm">
            Confirm
          </button>
          <Leave isLocked={isLocked} label="Cancel" />
        </div>
      </Form>
    </>
  );
}

/** Leads back to My profile, or signs out users who can open no other page. It stands in a form. */
export const Leave = ({ isLocked, label }: { isLocked: boolean; label: string }) =>
  isLocked ? (
    <button className="btn btn-quiet" type="submit" formAction="/logout">
      Sign out
    </button>
  ) : (
    <Link className="inline-flex min-h-10 items-center font-medium" to="/profile">
      {label}
    </Link>
  );

const grouped = (secret: string) => secret.replace(/(.{4})(?=.)/g, "$1 ");
