import { t } from "#lib/messages/staff.ts";
import type { WayToSignIn } from "../../server/sessions/single-sign-on.ts";

/** Links to identity providers, below the password's form or in its place. */
export const OtherWays = ({ ways, isAlone }: { ways: WayToSignIn[]; isAlone: boolean }) =>
  ways.length > 0 && (
    <div className={isAlone ? "grid gap-3" : "mt-6 grid gap-3 border-t border-base-300 pt-6"}>
      {ways.map(({ host, path }) => (
        <a
          key={path}
          className={`btn ${isAlone ? "btn-primary" : "btn-quiet"} h-auto min-h-10 py-2`}
          href={path}
          rel="nofollow"
        >
          <span className="[overflow-wrap:anywhere]">{t("common.signInWithHost", { host })}</span>
        </a>
      ))}
    </div>
  );
