import type { SubmissionResult } from "@conform-to/react";
import { KeyRound, Pencil, Settings } from "lucide-react";
import { lazy } from "react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import type { OpenSession } from "#provider/contract/open-sessions.ts";
import type { Profile } from "#provider/contract/profile.ts";
import { Avatar, imageSrc } from "../../components/user/avatar.tsx";
import { useDialog } from "../../components/dialog/dialog.tsx";
import { ErrorSummary } from "../../components/form/error-summary.tsx";
import { formState } from "../../components/form/form-state.ts";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { PendingEmail } from "../../components/user/pending-email.tsx";
import { RecordFacts } from "../../components/record/record-facts.tsx";
import { profileSections } from "../../components/record/record-tables.ts";
import { SecondFactorPanel } from "./second-factor-panel.tsx";
import { SearchKey } from "./search-key.tsx";
import { SessionTable } from "../../components/user/session-table.tsx";

/** Browsers fetch its code when it is opened. */
const PasswordDialog = lazy(() => import("./password-dialog.tsx"));

type ProfileViewProps = {
  profile: Profile;
  /** Undefined if the provider has no second factors. */
  second: { since: string | null; codes: number; passkeys: number | undefined } | undefined;
  sessions: OpenSession[] | undefined;
  timeZone: string;
  /** Whether the key / leads to the search; undefined if there is none. */
  keys: boolean | undefined;
  reply: SubmissionResult | undefined;
};

/** The signed-in user's own data and sessions. */
export default function ProfileView({ profile, second, sessions, timeZone, keys, reply }: ProfileViewProps) {
  const { open, openTo, closeTo } = useDialog();
  const { values, summary } = formState({}, reply);
  const isPassword = reply ? values.intent === "password" : open === "password";
  const { name, email, has_password: hasPassword = true } = profile;
  return (
    <>
      <PageTitle title={t("common.myProfile")} hasErrors={reply !== undefined} />
      {!isPassword && <ErrorSummary errors={summary} />}
      <div className="page-head">
        <h1>{t("common.myProfile")}</h1>
        <div className="page-acts">
          <Link className="btn btn-primary" to="/profile?edit">
            <Pencil className="ico" />
            {t("signed-in.profileView.editProfile")}
          </Link>
          {hasPassword && (
            <Link className="btn btn-quiet" to={openTo("password")} preventScrollReset>
              <KeyRound className="ico" />
              {t("common.changePassword")}
            </Link>
          )}
          {/* Wider screens have it in the header. */}
          <Link className="btn btn-quiet sm:hidden" to="/settings">
            <Settings className="ico" />
            {t("common.settings")}
          </Link>
        </div>
      </div>
      {profile.pending_email && (
        <PendingEmail email={profile.pending_email} rest={t("signed-in.profileView.untilThenEmail", { email })} />
      )}
      <section className="panel" aria-labelledby="me">
        <div className="flex items-center gap-4 px-5 py-4 max-md:px-4">
          <Avatar name={name || email} src={imageSrc("profile", profile.imageUrl)} isLarge />
          <div className="min-w-0">
            <h2 id="me" className="[overflow-wrap:anywhere]">
              {name}
            </h2>
            <p className="text-muted [overflow-wrap:anywhere]">{email}</p>
          </div>
        </div>
        <div className="rule px-5 py-2 max-md:px-4">
          <RecordFacts sections={profileSections} record={profile} />
        </div>
      </section>
      {second && <SecondFactorPanel {...second} hasPassword={hasPassword} timeZone={timeZone} />}
      {sessions && (
        <section className="panel mt-5 overflow-hidden" aria-labelledby="sessions">
          <div className="panel-head">
            <h2 id="sessions">{t("signed-in.profileView.whereYouAreSignedIn")}</h2>
          </div>
          <SessionTable sessions={sessions} timeZone={timeZone} endAll={t("common.signOutEverywhereElse")} />
        </section>
      )}
      {keys !== undefined && <SearchKey isOn={keys} />}
      {isPassword && <PasswordDialog email={email} reply={reply} closeTo={closeTo} />}
    </>
  );
}
