import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { Form } from "../../components/form/form.tsx";
import { dayOf, showDate } from "../../components/text/format.ts";
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

/** What a second factor is or, if there is one, since when, with what can be changed. */
export function FactorState({ set_up_at, ...state }: FactorStateProps) {
  if (set_up_at === null) return <NoFactor {...state} />;
  return state.isRemoving ? <Removing /> : <ReadyFactor since={set_up_at} {...state} />;
}

const NoFactor = ({ isLocked, search }: Pick<FactorStateProps, "isLocked" | "search">) => (
  <>
    <h1>{t("guest.factorState.setUpASecondFactor")}</h1>
    <p className="lead mb-4">
      {isLocked ? t("guest.factorState.requiredSetItUpNow") : t("guest.factorState.whatItIsFor")}
    </p>
    <p className="mb-6">{t("guest.factorState.whatYouNeed")}</p>
    <Form method="post" action={`/profile/second-factor${search}`} className="flex flex-wrap items-center gap-5">
      <button className="btn btn-primary px-6" type="submit" name="intent" value="begin">
        {t("common.setUpAuthenticatorApp")}
      </button>
      <Leave isLocked={isLocked} label={t("common.cancel")} />
    </Form>
  </>
);

type ReadyProps = { since: string } & Pick<FactorStateProps, "recovery_codes" | "required" | "timeZone">;

const ReadyFactor = ({ since, recovery_codes: left, required, timeZone }: ReadyProps) => (
  <>
    <h1>{t("common.secondFactor")}</h1>
    <p className="lead mb-6">
      {t("guest.factorState.youSignInWithBothSince", { date: showDate(dayOf(since, timeZone)) })}
    </p>
    <h2>{t("common.recoveryCodes")}</h2>
    <p className="mt-1 mb-3">
      {left === 0 ? t("guest.factorState.noCodesLeft") : t("guest.factorState.codesLeft", { left })}
    </p>
    <Form method="post" action="/profile/second-factor" className="grid justify-items-start gap-3">
      <button className="btn btn-quiet" type="submit" name="intent" value="codes">
        {t("guest.factorState.makeNewRecoveryCodes")}
      </button>
      <h2 className="mt-4">{t("guest.factorState.authenticatorApp")}</h2>
      <button className="btn btn-quiet" type="submit" name="intent" value="begin">
        {t("guest.factorState.setUpAnotherApp")}
      </button>
      {required ? (
        <p>{t("guest.factorState.requiredSoItStays")}</p>
      ) : (
        <Link className="btn btn-plain !text-bad" to="?remove">
          {t("common.removeSecondFactor")}
        </Link>
      )}
    </Form>
    <p className="mt-6">
      <Leave isLocked={false} label={t("common.backToMyProfile")} />
    </p>
  </>
);

const Removing = () => (
  <>
    <h1>{t("guest.factorState.removeYourSecondFactor")}</h1>
    <p className="lead mb-6">{t("guest.factorState.whatRemovingDoes")}</p>
    <Form method="post" action="/profile/second-factor" className="flex flex-wrap items-center gap-5">
      <button className="btn btn-error" type="submit" name="intent" value="remove">
        {t("common.removeSecondFactor")}
      </button>
      <Link className="btn btn-quiet" to="/profile/second-factor">
        {t("common.cancel")}
      </Link>
    </Form>
  </>
);
