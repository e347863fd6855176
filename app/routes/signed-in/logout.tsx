import { Form, Link, redirect } from "react-router";
import { PageTitle } from "../../components/page-title.tsx";
import { getProvider } from "../../server/provider/context.ts";
import { endSession, getSession } from "../../server/sessions/session.ts";
import type { Route } from "./+types/logout";
import { question } from "./logout-question.ts";

export async function action({ context }: Route.ActionArgs) {
  const session = getSession(context);
  const provider = getProvider(context);
  // Signed out here in any case; a provider that has no such call, or does not answer, can't hinder it.
  const signOut = session.get("signOutOrigin") ? provider.singleSignOut() : provider.logout();
  const elsewhere = await signOut.catch(() => undefined);
  endSession(session);
  session.unset("signOutOrigin");
  // Not "cookies": the session's is replaced, and the others say nothing about the session.
  return redirect(elsewhere?.url ?? "/login", { headers: { "clear-site-data": '"cache", "storage"' } });
}

export default function Logout() {
  return (
    <div className="panel max-w-[30rem] p-6">
      <PageTitle title="Log out" />
      <h1>Log out</h1>
      <p className="mt-2">{question}</p>
      <Form method="post" action="/logout" className="modal-foot">
        <Link className="btn btn-quiet" to="/dashboard">
          Cancel
        </Link>
        <button type="submit" className="btn btn-primary">
          Logout
        </button>
      </Form>
    </div>
  );
}
