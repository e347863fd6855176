import { ArrowLeft, Mail, Pencil } from "lucide-react";
import { Form, Link, redirect } from "react-router";
import type { ViewedUser } from "#provider/contract/users.ts";
import { Avatar, imageSrc } from "../../components/avatar.tsx";
import { Facts, mailFact } from "../../components/facts.tsx";
import { History, withHistory } from "../../components/history.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { Tabs, useTab } from "../../components/tabs.tsx";
import { getUser, may } from "../../server/current-user.ts";
import { asFailure } from "../../server/provider/failure.ts";
import { readHistory } from "../../server/history.ts";
import { getProvider } from "../../server/provider/context.ts";
import { setNotice } from "../../server/session.ts";
import type { Route } from "./+types/view";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const [user, history] = await Promise.all([
    getProvider(context).getUser({ params }),
    readHistory(context, "userHistory", { params, url }),
  ]);
  return { user, history, mayEdit: may(getUser(context), "users", "write") };
}

/** Sends the invitation again. */
export async function action({ context, params }: Route.ActionArgs) {
  try {
    await getProvider(context).inviteUser({ params });
    setNotice(context, "A new invitation is on its way; earlier ones are no longer valid");
  } catch (thrown) {
    const refused = asFailure(thrown, 403, 409);
    if (!refused) throw thrown;
    setNotice(context, refused.message);
  }
  return redirect(`/users/view/${params.id}`);
}

const tabs = [{ id: "properties", label: "Properties" }];

export default function UserView({ loaderData: { user, history, mayEdit } }: Route.ComponentProps) {
  const shownTabs = withHistory(tabs, history);
  const tab = useTab(shownTabs);
  return (
    <>
      <PageTitle title={user.name} />
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
        {mayEdit && (
          <div className="page-acts flex flex-wrap gap-2">
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
            : "Ask somebody who may change users to check the address and send it again."}
        </p>
      )}
      <section className="panel">
        {shownTabs.length > 1 && <Tabs label="User" tabs={shownTabs} />}
        <h2 className="sr-only">{shownTabs.find(({ id }) => id === tab)!.label}</h2>
        {tab === "history" && history ? <History history={history} /> : <Properties user={user} />}
      </section>
    </>
  );
}

function Properties({ user }: { user: ViewedUser }) {
  const pending = user.pending_email && `${user.pending_email} waits to be confirmed`;
  const newEmail: [string, string][] = pending ? [["New email", pending]] : [];
  return (
    <div className="px-5 py-2 max-md:px-4">
      <Facts
        facts={[
          ["Name", user.name],
          ["Email", mailFact(user.email)],
          ...newEmail,
          ["Phone", user.phone],
          ["Role", user.role],
          ["Access group", user.staff],
          ["Branch", user.branch],
          ["Country", user.country],
          ["City", user.city],
          ["Index", user.index],
          ["Active", user.active ? "Yes" : "No"],
          ["Additional information", user.info],
        ]}
      />
    </div>
  );
}
