import { Fingerprint, ShieldCheck } from "lucide-react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { dayOf, showDate } from "../../components/text/format.ts";

type SecondFactorPanelProps = {
  since: string | null;
  hasPassword: boolean;
  /** Recovery codes left. */
  codes: number;
  /** How many the user has; undefined if there are none to be had. */
  passkeys: number | undefined;
  timeZone: string;
};

/** Whether the user signs in with a second factor, and the way to its page. */
export const SecondFactorPanel = ({ since, hasPassword, codes, passkeys, timeZone }: SecondFactorPanelProps) => (
  <section className="panel mt-5 overflow-hidden" aria-labelledby="second-factor">
    <div className="panel-head">
      <h2 id="second-factor">{t("signed-in.secondFactorPanel.signingIn")}</h2>
    </div>
    <div className="rule flex flex-wrap items-center justify-between gap-3 px-5 py-4 max-md:px-4">
      <p>
        {since === null
          ? hasPassword
            ? t("signed-in.secondFactorPanel.passwordAlone")
            : t("signed-in.secondFactorPanel.noPassword")
          : t("signed-in.secondFactorPanel.appSince", { date: showDate(dayOf(since, timeZone)), codes })}
      </p>
      <Link className="btn btn-quiet" to="/profile/second-factor">
        <ShieldCheck className="ico" />
        {since === null
          ? t("signed-in.secondFactorPanel.setUpSecondFactor")
          : t("signed-in.secondFactorPanel.changeSecondFactor")}
      </Link>
    </div>
    {passkeys !== undefined && (
      <div className="rule flex flex-wrap items-center justify-between gap-3 px-5 py-4 max-md:px-4">
        <p>
          {passkeys === 0
            ? t("signed-in.secondFactorPanel.whatPasskeysDo")
            : t("signed-in.secondFactorPanel.passkeys", { count: passkeys })}
        </p>
        <Link className="btn btn-quiet" to="/profile/passkeys">
          <Fingerprint className="ico" />
          {passkeys === 0 ? t("common.addPasskey") : t("signed-in.secondFactorPanel.changePasskeys")}
        </Link>
      </div>
    )}
  </section>
);
