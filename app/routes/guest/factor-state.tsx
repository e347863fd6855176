import { Form, Link } from "react-router";
import { dayOf, showDate } from "../../components/format.ts";
import { Leave } from "./factor-setup.tsx";

type FactorStateProps = {
  set_up_at: string | null;
  recovery_codes: number;
  required: boolean;
  isLocked: boolean;
  /** Whether the page asks before it removes the factor. */
  isRemoving: boolean;
  search: string;
  timeZone: string;
};

/** What a second factor is or, where there is one, since when, with what can be changed. */
export function FactorState({ set_up_at, ...state }: FactorStateProps) {
  if (set_up_at === null) return <NoFactor {...state} />;
  return state.isRemoving ? <Removing /> : <ReadyFactor since={set_up_at} {...state} />;
}

const NoFactor = ({ isLocked, search }: Pick<FactorStateProps, "isLocked" | "search">) => (
  <>
    <h1>Set up a second factor</h1>
    <p className="lead mb-4">
      {isLocked
        ? "Your access group requires a second factor. Set it up now; then you can go on."
        : "Whoever knows your password then can’t sign in without your phone."}
    </p>
    <p className="mb-6">
      You need an authenticator app on your phone or computer, such as Google Authenticator, Aegis, 1Password or
      Bitwarden. At each sign-in Sealdesk asks for the six digits that it shows.
    </p>
    <Form method="post" action={`/profile/second-factor${search}`} className="flex flex-wrap items-center gap-5">
      <button className="btn btn-primary px-6" type="submit" name="intent" value="begin">
        Set up authenticator app
      </button>
      <Leave isLocked={isLocked} label="Cancel" />
    </Form>
  </>
);

type ReadyProps = { since: string } & Pick<FactorStateProps, "recovery_codes" | "required" | "timeZone">;

const ReadyFactor = ({ since, recovery_codes: left, required, timeZone }: ReadyProps) => (
  <>
    <h1>Second factor</h1>
    <p className="lead mb-6">
      Since {showDate(dayOf(since, timeZone))} you sign in with your password and a one-time code of your authenticator
      app.
    </p>
    <h2>Recovery codes</h2>
    <p className="mt-1 mb-3">
      {left === 0
        ? "You have none left. Without them you can’t sign in if you lose your phone."
        : `You have ${left} left, for when you don’t have your phone.`}
    </p>
    <Form method="post" action="/profile/second-factor" className="grid justify-items-start gap-3">
      <button className="btn btn-quiet" type="submit" name="intent" value="codes">
        Make new recovery codes
      </button>
      <h2 className="mt-4">Authenticator app</h2>
      <button className="btn btn-quiet" type="submit" name="intent" value="begin">
        Set up another authenticator app
      </button>
      {required ? (
        <p>Your access group requires a second factor, so it can’t be removed.</p>
      ) : (
        <Link className="btn btn-plain !text-bad" to="?remove">
          Remove second factor
        </Link>
      )}
    </Form>
    <p className="mt-6">
      <Leave isLocked={false} label="Back to my profile" />
    </p>
  </>
);

const Removing = () => (
  <>
    <h1>Remove your second factor?</h1>
    <p className="lead mb-6">Your password alone then signs you in. Your recovery codes end as well.</p>
    <Form method="post" action="/profile/second-factor" className="flex flex-wrap items-center gap-5">
      <button className="btn btn-error" type="submit" name="intent" value="remove">
        Remove second factor
      </button>
      <Link className="btn btn-quiet" to="/profile/second-factor">
        Cancel
      </Link>
    </Form>
  </>
);
