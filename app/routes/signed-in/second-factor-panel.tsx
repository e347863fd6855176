import { ShieldCheck } from "lucide-react";
import { Link } from "react-router";
import { dayOf, showDate } from "../../components/format.ts";

type SecondFactorPanelProps = {
  since: string | null;
  /** Recovery codes left. */
  codes: number;
  timeZone: string;
};

/** Whether the user signs in with a second factor, and the way to its page. */
export const SecondFactorPanel = ({ since, codes, timeZone }: SecondFactorPanelProps) => (
  <section className="panel mt-5 overflow-hidden" aria-labelledby="second-factor">
    <div className="panel-head">
      <h2 id="second-factor">Second factor</h2>
    </div>
    <div className="rule flex flex-wrap items-center justify-between gap-3 px-5 py-4 max-md:px-4">
      <p>
        {since === null
          ? "You sign in with your password alone."
          : `Authenticator app, since ${showDate(dayOf(since, timeZone))}. Recovery codes left: ${codes}.`}
      </p>
      <Link className="btn btn-quiet" to="/profile/second-factor">
        <ShieldCheck className="ico" />
        {since === null ? "Set up second factor" : "Change second factor"}
      </Link>
    </div>
  </section>
);
