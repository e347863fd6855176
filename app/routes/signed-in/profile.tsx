import { lazy } from "react";
import { useSearchParams } from "react-router";
import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { changePassword, updateProfile } from "#provider/contract/profile.ts";
import { useDialog } from "../../components/dialog/dialog.tsx";
import { pendingEmailIntents } from "../../components/user/pending-email.tsx";
import { formState } from "../../components/form/form-state.ts";
import { getOffers, getUser, timeZoneOf } from "../../server/sessions/current-user.ts";
import { endSessions, sessionForm } from "../../server/sessions/open-sessions.ts";
import { getProvider } from "../../server/provider/context.ts";
import { orUndefinedIfLacking } from "../../server/provider/failure.ts";
import { handleFileForm, readPictureForm } from "../../server/forms/file-form.ts";
import { hasPasskeys } from "../../server/sessions/passkeys.ts";
import { isSearchKeyOn } from "../../server/request/search-key.ts";
import { readSuggestions } from "../../server/suggestions.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/profile";

/** Browsers fetch the code of the one that is shown. */
const ProfileView = lazy(() => import("./profile-view.tsx"));
const ProfileForm = lazy(() => import("./profile-form.tsx"));

/** The signed-in user's own data and sessions; with `?edit` the data to change. */

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const provider = getProvider(context);
  const [profile, factor, passkeys, sessions, suggestions] = await Promise.all([
    provider.getProfile(),
    getOffers(context).secondFactor ? provider.getSecondFactor() : undefined,
    hasPasskeys() ? provider.listPasskeys() : undefined,
    orUndefinedIfLacking(provider.listOwnSessions()),
    url.searchParams.has("edit") ? readSuggestions(context) : undefined,
  ]);
  const keys = getOffers(context).search ? await isSearchKeyOn(request) : undefined;
  const second = factor && {
    since: factor.set_up_at,
    codes: factor.recovery_codes,
    passkeys: factor.passwords_off ? undefined : passkeys?.length,
  };
  const timeZone = timeZoneOf(getUser(context));
  return { profile, second, sessions, keys, country: suggestions?.country, timeZone };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPictureForm(request, updateProfile.body, changePassword.body, sessionForm);
  const provider = getProvider(context);
  const leave = (notice: string) => redirectWithNotice(context, "/profile", notice);
  const reply = await endSessions(form.form, {
    one: (id) => provider.endOwnSession({ params: { id: String(id) } }),
    others: () => provider.endOtherSessions(),
    leave: (ended) =>
      leave(ended === "all" ? t("signed-in.profile.sessionsEnded") : t("signed-in.profile.sessionEnded")),
  });
  if (reply) return reply;
  if (form.form.get("intent") === "password") {
    return handleFileForm(form, {
      schema: changePassword.body,
      secrets: ["old_password", "password", "password_confirmation"],
      async save(body) {
        await provider.changePassword({ body });
        return leave(t("signed-in.profile.passwordChanged"));
      },
    });
  }
  if (isAboutPending(form.form.get("intent"))) {
    return handleFileForm(form, {
      schema: z.object({}),
      async save() {
        if (form.form.get("intent") === pendingEmailIntents.cancel) {
          await provider.cancelEmail();
          return leave(t("signed-in.profile.emailStays"));
        }
        await provider.resendEmail();
        return leave(t("signed-in.profile.newLinkOnItsWay"));
      },
    });
  }
  return handleFileForm(form, {
    schema: updateProfile.body,
    async save(body, image) {
      const saved = await provider.updateProfile({ body, image });
      const isPending = saved !== undefined && saved.pending_email === body.email;
      return leave(
        isPending ? t("signed-in.profile.savedConfirmEmail", { email: body.email }) : t("signed-in.profile.saved"),
      );
    },
  });
}

const isAboutPending = (intent: string | null | undefined) => Object.values(pendingEmailIntents).includes(intent ?? "");

export default function MyProfile({ loaderData, actionData }: Route.ComponentProps) {
  const [parameters] = useSearchParams();
  const { open } = useDialog();
  const { intent } = formState({}, actionData).values;
  // All other buttons are the view's.
  const isEdited = actionData ? intent?.startsWith("save") : parameters.has("edit") && open !== "password";
  if (isEdited) return <ProfileForm profile={loaderData.profile} country={loaderData.country} reply={actionData} />;
  return <ProfileView {...loaderData} reply={actionData} />;
}
