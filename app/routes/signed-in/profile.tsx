import { KeyRound, Pencil } from "lucide-react";
import { lazy } from "react";
import { Link, redirect, useSearchParams } from "react-router";
import { z } from "zod";
import { changePassword, updateProfile } from "#provider/contract/profile.ts";
import { Avatar, imageSrc } from "../../components/avatar.tsx";
import { useDialog } from "../../components/dialog.tsx";
import { ErrorSummary } from "../../components/error-summary.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { PendingEmail, pendingEmailActs } from "../../components/pending-email.tsx";
import { formState } from "../../components/form-state.ts";
import { RecordFacts } from "../../components/record-facts.tsx";
import { profileSections } from "../../components/record-tables.ts";
import { SessionTable } from "../../components/session-table.tsx";
import { getUser, timeZoneOf } from "../../server/sessions/current-user.ts";
import { endSessions, sessionsOrUndefined, sessionForm } from "../../server/sessions/open-sessions.ts";
import { getProvider } from "../../server/provider/context.ts";
import { handlePictureForm, readPictureForm } from "../../server/forms/picture-form.ts";
import { setNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/profile";
import { ProfileForm } from "./profile-form.tsx";

/** Browsers fetch its code when it is opened. */
const PasswordDialog = lazy(() => import("./password-dialog.tsx"));

/** One's own data: to look at, with `?edit` to change, the password in a dialog, and one's sessions. */

export async function loader({ context }: Route.LoaderArgs) {
  const provider = getProvider(context);
  const [profile, sessions] = await Promise.all([
    provider.getProfile(),
    sessionsOrUndefined(provider.listOwnSessions()),
  ]);
  return { profile, sessions, timeZone: timeZoneOf(getUser(context)) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const sent = await readPictureForm(request, updateProfile.body, changePassword.body, sessionForm);
  const provider = getProvider(context);
  const leave = (notice: string) => {
    setNotice(context, notice);
    return redirect("/profile");
  };
  const ended = await endSessions(sent.form, {
    one: (id) => provider.endOwnSession({ params: { id: String(id) } }),
    others: () => provider.endOtherSessions(),
  });
  if (ended) return leave(ended);
  if (sent.form.get("intent") === "password") {
    return handlePictureForm(sent, {
      schema: changePassword.body,
      secrets: ["old_password", "password", "password_confirmation"],
      async save(body) {
        await provider.changePassword({ body });
        return leave("Your password was changed, and your other sessions have ended");
      },
    });
  }
  if (isAboutPending(sent.form.get("intent"))) {
    return handlePictureForm(sent, {
      schema: z.object({}),
      async save() {
        if (sent.form.get("intent") === pendingEmailActs.cancel) {
          await provider.cancelEmail();
          return leave("Your email stays as it is");
        }
        await provider.resendEmail();
        return leave("A new link is on its way; earlier ones are no longer valid");
      },
    });
  }
  return handlePictureForm(sent, {
    schema: updateProfile.body,
    secrets: ["current_password"],
    async save(body, image) {
      const saved = await provider.updateProfile({ body, image });
      const isPending = saved !== undefined && saved.pending_email === body.email;
      return leave(`Your data was saved${isPending ? `. Confirm ${body.email} from the mail sent there` : ""}`);
    },
  });
}

const isAboutPending = (intent: string | null | undefined) => Object.values(pendingEmailActs).includes(intent ?? "");

export default function MyProfile({ loaderData: { profile, ...signedIn }, actionData }: Route.ComponentProps) {
  const [parameters] = useSearchParams();
  const { open, openTo, closeTo } = useDialog();
  const { values, summary } = formState({}, actionData);
  const isPassword = actionData ? values.intent === "password" : open === "password";
  const isPending = isAboutPending(values.intent);
  const isEditing = !isPassword && !isPending && (actionData !== undefined || parameters.has("edit"));
  if (isEditing) return <ProfileForm profile={profile} reply={actionData} />;
  const { name, email } = profile;
  return (
    <>
      <PageTitle title="My profile" hasErrors={actionData !== undefined} />
      {isPending && <ErrorSummary errors={summary} />}
      <div className="page-head">
        <h1>My profile</h1>
        <div className="page-acts flex flex-wrap gap-2">
          <Link className="btn btn-primary" to="/profile?edit">
            <Pencil className="ico" />
            Edit profile
          </Link>
          <Link className="btn btn-quiet" to={openTo("password")} preventScrollReset>
            <KeyRound className="ico" />
            Change password
          </Link>
        </div>
      </div>
      {profile.pending_email && (
        <PendingEmail email={profile.pending_email} rest={`Until then you sign in with ${email}.`} />
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
      <OwnSessions {...signedIn} />
      {isPassword && <PasswordDialog email={email} reply={actionData} closeTo={closeTo} />}
    </>
  );
}

function OwnSessions({ sessions, timeZone }: Pick<Route.ComponentProps["loaderData"], "sessions" | "timeZone">) {
  if (!sessions) return null;
  return (
    <section className="panel mt-5 overflow-hidden" aria-labelledby="sessions">
      <div className="panel-head">
        <h2 id="sessions">Where you are signed in</h2>
      </div>
      <SessionTable sessions={sessions} timeZone={timeZone} endAll="Sign out everywhere else" />
    </section>
  );
}
