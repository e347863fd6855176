import { Form, Link, redirect } from "react-router";
import { say } from "#messages/staff.ts";
import { PageTitle } from "../../components/page-title.tsx";
import { getProvider } from "../../server/provider/context.ts";
import { endSession, getSession } from "../../server/sessions/session.ts";
import type { Route } from "./+types/logout";
import { question } from "./logout-question.ts";

export async function action({ context, url }: Route.ActionArgs) {
  const session = getSession(context);
  const provider = getProvider(context);
  // Signed out here in any case; a provider that has no such call, or does not answer, can't hinder it.
  const signOut = session.get("signOutOrigin") ? provider.singleSignOut() : provider.logout();
  const elsewhere = await signOut.catch(() => undefined);
  endSession(session);
  session.unset("signOutOrigin");
  const query = signInQuery(url);
  if (elsewhere?.url) session.flash("signIn", query);
  // Not "cookies": the session's is replaced, and the others say nothing about the session.
  return redirect(elsewhere?.url ?? `/login${query}`, { headers: { "clear-site-data": '"cache", "storage"' } });
}

/** What leads back from the sign-in page to where the user was, who signs out to sign in again (`/confirm`). */
function signInQuery({ searchParams }: URL) {
  const kept = ["next", "form"].flatMap((name) => (searchParams.has(name) ? [[name, searchParams.get(name)!]] : []));
  const query = new URLSearchParams(kept).toString();
  return query && query.length <= maxQueryLength ? `?${query}` : "";
}

/** The cookie has little room. */
const maxQueryLength = 1000;

export default function Logout() {
  return (
    <div className="panel max-w-[30rem] p-6">
      <PageTitle title={say("common.logOut")} />
      <h1>{say("common.logOut")}</h1>
      <p className="mt-2">{question}</p>
      <Form method="post" action="/logout" className="modal-foot">
        <Link className="btn btn-quiet" to="/dashboard">
          {say("common.cancel")}
        </Link>
        <button type="submit" className="btn btn-primary">
          {say("common.logout")}
        </button>
      </Form>
    </div>
  );
}
