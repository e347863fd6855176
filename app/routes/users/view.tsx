import { lazy } from "react";
import { Link } from "react-router";
import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { useDialog } from "../../components/dialog/dialog.tsx";
import { ApiKeyTable } from "../../components/user/api-key-table.tsx";
import { historyInWords } from "../../components/record/audit-words.server.ts";
import { Avatar, imageSrc } from "../../components/user/avatar.tsx";
import { BackLink } from "../../components/frame/back-link.tsx";
import { ErrorSummary } from "../../components/form/error-summary.tsx";
import { formState } from "../../components/form/form-state.ts";
import { dayOf, showDate } from "../../components/text/format.ts";
import { History, withHistory } from "../../components/record/history.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { RecordFacts } from "../../components/record/record-facts.tsx";
import { userSections } from "../../components/record/record-tables.ts";
import { Tabs, useTab } from "../../components/frame/tabs.tsx";
import { getOffers, getUser, may, timeZoneOf } from "../../server/sessions/current-user.ts";
import { revokeForm, revokeKey } from "../../server/sessions/api-keys.ts";
import { handleForm, readForm } from "../../server/forms/forms.ts";
import { readHistory } from "../../server/history.ts";
import { endSessions, sessionForm } from "../../server/sessions/open-sessions.ts";
import { getProvider } from "../../server/provider/context.ts";
import { orUndefinedIfLacking } from "../../server/provider/failure.ts";
import { redirectWithNotice, takeHandedLink } from "../../server/sessions/session.ts";
import type { Route } from "./+types/view";
import { ActLinks } from "./act-links.tsx";
import { setActive } from "./active.server.ts";
import { withAreasInWords } from "../../components/user/area-words.ts";
import { InvitationLink } from "./invitation-link.tsx";
import { handedLink, invitedAgain } from "./invitation-notices.server.ts";
import { Sessions } from "./sessions.tsx";

/** Browsers fetch its code when one is opened. */
const ActDialogs = lazy(() => import("./act-dialogs.tsx"));

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const provider = getProvider(context);
  const self = getUser(context);
  const mayEdit = may(self, "users", "write");
  const hasKeys = mayEdit && getOffers(context).apiKeys;
  const [user, history, sessions, keys] = await Promise.all([
    provider.getUser({ params }),
    readHistory(context, "userHistory", { params, url }).then(historyInWords),
    mayEdit ? orUndefinedIfLacking(provider.listUserSessions({ params })) : undefined,
    hasKeys ? orUndefinedIfLacking(provider.listUserKeys({ params }).then(withAreasInWords)) : undefined,
  ]);
  const isChangeable = mayEdit && !user.erased;
  return {
    user,
    hasDocuments: may(self, "docs", "read"),
    history,
    sessions,
    keys,
    handed: takeHandedLink(context),
    timeZone: timeZoneOf(self),
    mayEdit: isChangeable,
    acts: {
      // Undefined from providers that can't erase.
      mayErase: user.erased === false && !user.active && may(self, "roles", "write"),
      mayReactivate: isChangeable && !user.active,
      mayClear: isChangeable && user.second_factor === true && user.id !== self.id,
      mayInvite: isChangeable && user.active && user.invited_at !== null && user.id !== self.id,
    },
  };
}

/** Ends sessions, revokes API keys, erases the personal data, reactivates the user, or sends the invitation again. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const form = await readForm(request, sessionForm, revokeForm);
  const provider = getProvider(context);
  const reply = await endSessions(form, {
    one: (session) => provider.endUserSession({ params: { ...params, session: String(session) } }),
    others: () => provider.endUserSessions({ params }),
    leave: async (ended) => {
      const { name } = await provider.getUser({ params });
      const notice = ended === "all" ? t("users.view.sessionsEnded", { name }) : t("users.view.sessionEnded", { name });
      return redirectWithNotice(context, `/users/view/${params.id}?tab=sessions`, notice);
    },
  });
  if (reply) return reply;
  const revoked = await revokeKey(form, {
    revoke: (key) => provider.revokeUserKey({ params: { ...params, key } }),
    leave: () => redirectWithNotice(context, `/users/view/${params.id}?tab=api-keys`, t("common.apiKeyRevoked")),
  });
  if (revoked) return revoked;
  const leave = (notice: string, handed?: ReturnType<typeof handedLink>) =>
    redirectWithNotice(context, `/users/view/${params.id}`, notice, { handed });
  return handleForm(form, {
    schema: z.object({}),
    async save() {
      const intent = form.get("intent");
      if (intent === "erase") {
        await provider.eraseUser({ params });
        // As it reads from now on.
        const { name } = await provider.getUser({ params });
        return leave(t("users.view.erased", { name }));
      }
      const { name } = await provider.getUser({ params });
      if (intent === "clear-factor") {
        await provider.clearUserSecondFactor({ params });
        return leave(t("users.view.secondFactorRemoved", { name }));
      }
      if (intent === "reactivate") {
        const invitation = await setActive(context, params.id, true);
        return leave(t("users.view.reactivated", { name }), handedLink(name, invitation));
      }
      const { invitation } = await provider.inviteUser({ params });
      return leave(invitedAgain(name, invitation), handedLink(name, invitation));
    },
  });
}

const tabs = [{ id: "properties", label: t("common.properties") }];
const sessionsTab = { id: "sessions", label: t("users.view.sessions") };
const keysTab = { id: "api-keys", label: t("common.apiKeys") };

export default function UserView({ loaderData, actionData }: Route.ComponentProps) {
  const { user, hasDocuments, history, sessions, keys, mayEdit, acts, handed, timeZone } = loaderData;
  const shownTabs = withHistory(
    [...tabs, ...(sessions ? [sessionsTab] : []), ...(keys?.length ? [keysTab] : [])],
    history,
  );
  const tab = useTab(shownTabs);
  const { open } = useDialog();
  return (
    <>
      <PageTitle title={user.name} hasErrors={Boolean(actionData)} />
      <ErrorSummary errors={formState({}, actionData).summary} />
      <BackLink to="/users/list">{t("common.backToTheListOfUsers")}</BackLink>
      <div className="page-head mt-1">
        <div className="flex items-center gap-4">
          <Avatar name={user.name} src={imageSrc(`users/${user.id}`, user.imageUrl)} isLarge />
          <div>
            <h1 translate="no">{user.name}</h1>
            <p className="lead [overflow-wrap:anywhere]">{user.email}</p>
            {hasDocuments && (
              <Link to={`/documents/list?${new URLSearchParams({ email: user.email })}`}>
                {t("users.view.documentsOfThisUser")}
              </Link>
            )}
          </div>
        </div>
        {mayEdit && <ActLinks id={user.id} {...acts} />}
      </div>
      {handed && <InvitationLink {...handed} />}
      {user.active && user.undelivered ? (
        <p className="notice is-bad mb-4" role="alert">
          {mayEdit
            ? t("users.view.undeliveredSendAgain", { email: user.email, name: user.name })
            : t("users.view.undeliveredAskAColleague", { email: user.email, name: user.name })}
        </p>
      ) : (
        user.active &&
        user.invited_at && (
          <p className="notice is-warn mb-4">
            {t("users.view.invitedOn", { date: showDate(dayOf(user.invited_at, timeZone)) })}
          </p>
        )
      )}
      {!user.active && !user.erased && <p className="notice is-warn mb-4">{t("users.view.userWasRemoved")}</p>}
      <section className="panel">
        {shownTabs.length > 1 && <Tabs label={t("common.user")} tabs={shownTabs} />}
        <h2 className="sr-only">{shownTabs.find(({ id }) => id === tab)!.label}</h2>
        {tab === "history" && history && <History history={history} />}
        {tab === "sessions" && sessions && <Sessions sessions={sessions} timeZone={timeZone} />}
        {tab === "api-keys" && keys && <ApiKeyTable keys={keys} timeZone={timeZone} />}
        {tab === "properties" && (
          <div className="px-5 py-2 max-md:px-4">
            <RecordFacts sections={userSections} record={user} />
          </div>
        )}
      </section>
      {open && <ActDialogs id={user.id} name={user.name} email={user.email} {...acts} />}
    </>
  );
}
