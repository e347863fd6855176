import { ArrowLeft, Mail, Pencil } from "lucide-react";
import { Form, Link } from "react-router";
import { z } from "zod";
import { Avatar, imageSrc } from "../../components/avatar.tsx";
import { ErrorSummary } from "../../components/error-summary.tsx";
import { formState } from "../../components/form-state.ts";
import { History, withHistory } from "../../components/history.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { RecordFacts } from "../../components/record-facts.tsx";
import { userSections } from "../../components/record-tables.ts";
import { Tabs, useTab } from "../../components/tabs.tsx";
import { getUser, may, timeZoneOf } from "../../server/sessions/current-user.ts";
import { handleForm, readForm } from "../../server/forms/forms.ts";
import { readHistory } from "../../server/history.ts";
import { endSessions, sessionsOrUndefined, sessionForm } from "../../server/sessions/open-sessions.ts";
import { getProvider } from "../../server/provider/context.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/view";
import { EraseButton, EraseDialog } from "./erase-dialog.tsx";
import { Sessions } from "./sessions.tsx";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const provider = getProvider(context);
  const mayEdit = may(getUser(context), "users", "write");
  const [user, history, sessions] = await Promise.all([
    provider.getUser({ params }),
    readHistory(context, "userHistory", { params, url }),
    mayEdit ? sessionsOrUndefined(provider.listUserSessions({ params })) : undefined,
  ]);
  // Undefined from providers that can't erase.
  const mayErase = user.erased === false && !user.active && may(getUser(context), "roles", "write");
  return { user, history, sessions, mayEdit, mayErase, timeZone: timeZoneOf(getUser(context)) };
}

/** Ends sessions, erases the personal data, or sends the invitation again. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const form = await readForm(request, sessionForm);
  const provider = getProvider(context);
  const reply = await endSessions(form, {
    one: (session) => provider.endUserSession({ params: { ...params, session: String(session) } }),
    others: () => provider.endUserSessions({ params }),
    leave: (notice) => redirectWithNotice(context, `/users/view/${params.id}?tab=sessions`, notice),
  });
  if (reply) return reply;
  const leave = (notice: string) => redirectWithNotice(context, `/users/view/${params.id}`, notice);
  return handleForm(form, {
    schema: z.object({}),
    async save() {
      if (form.get("intent") === "erase") {
        await provider.eraseUser({ params });
        return leave("The personal data was erased");
      }
      await provider.inviteUser({ params });
      return leave("A new invitation is on its way; earlier ones are no longer valid");
    },
  });
}

const tabs = [{ id: "properties", label: "Properties" }];

export default function UserView({ loaderData, actionData }: Route.ComponentProps) {
  const { user, history, sessions, mayEdit, mayErase, timeZone } = loaderData;
  const shownTabs = withHistory(sessions ? [...tabs, { id: "sessions", label: "Sessions" }] : tabs, history);
  const tab = useTab(shownTabs);
  return (
    <>
      <PageTitle title={user.name} hasErrors={Boolean(actionData)} />
      <ErrorSummary errors={formState({}, actionData).summary} />
      <Link className="back" to="/users/list">
        <ArrowLeft className="ico" />
        Back to the list of users
      </Link>
      <div className="page-head mt-1">
        <div className="flex items-center gap-4">
          <Avatar name={user.name} src={imageSrc(`users/${user.id}`, user.imageUrl)} isLarge />
          <div>
            <h1>{user.name}</h1>
            <p className="lead [overflow-wrap:anywhere]">{user.email}</p>
          </div>
        </div>
        {mayEdit && !user.erased && (
          <div className="page-acts flex flex-wrap gap-2">
            {mayErase && <EraseButton />}
            <Link className="btn btn-primary" to={`/users/edit/${user.id}`}>
              <Pencil className="ico" />
              Edit
            </Link>
            {user.active && (
              <Form method="post">
                <button type="submit" className="btn btn-quiet">
                  <Mail className="ico" />
                  Send invitation again
                </button>
              </Form>
            )}
          </div>
        )}
      </div>
      {user.active && user.undelivered && (
        <p className="notice is-bad mb-4" role="alert">
          The invitation could not be delivered to {user.email}, so {user.name} can’t set a password yet.{" "}
          {mayEdit
            ? "Check the address, then use “Send invitation again”."
            : "Ask a colleague who may change users to check the address and send it again."}
        </p>
      )}
      <section className="panel">
        {shownTabs.length > 1 && <Tabs label="User" tabs={shownTabs} />}
        <h2 className="sr-only">{shownTabs.find(({ id }) => id === tab)!.label}</h2>
        {tab === "history" && history && <History history={history} />}
        {tab === "sessions" && sessions && <Sessions sessions={sessions} timeZone={timeZone} />}
        {tab === "properties" && (
          <div className="px-5 py-2 max-md:px-4">
            <RecordFacts sections={userSections} record={user} />
          </div>
        )}
      </section>
      {mayErase && <EraseDialog id={user.id} name={user.name} />}
    </>
  );
}
