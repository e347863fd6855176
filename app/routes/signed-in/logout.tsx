import { Link, redirect } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { Form } from "../../components/form/form.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { getProvider } from "../../server/provider/context.ts";
import { safeRedirectPath } from "../../server/request/safe-redirect.ts";
import { detour } from "../../server/sessions/current-user.ts";
import { isLink } from "../../server/sessions/link-user.ts";
import { readPageUser } from "../../server/sessions/page-user.ts";
import { digestOf, endSession, getSession, type WebSession } from "../../server/sessions/session.ts";
import type { Route } from "./+types/logout";
import { question } from "./logout-question.ts";

export async function action({ request, context, url }: Route.ActionArgs) {
  const session = getSession(context);
  const provider = getProvider(context);
  // Signed out here in any case; a provider that has no such call, or does not answer, can't hinder it.
  const signOut = session.get("signOutOrigin") ? provider.singleSignOut() : provider.logout();
  const elsewhere = await signOut.catch(() => undefined);
  endSession(session);
  session.unset("signOutOrigin");
  const path = await pathAfterwards(request, url, session);
  if (elsewhere?.url && path.length <= maxPathLength) session.flash("afterSignOut", path);
  // Not "cookies": the session's is replaced, and the others say nothing about the session.
  return redirect(elsewhere?.url ?? path, { headers: { "clear-site-data": '"cache", "storage"' } });
}

/**
 * A link that was opened where another user was signed in, or the sign-in page, which leads back to where the user was: who
 * signs out to sign in again (`/confirm`), or as the one who opened a form.
 */
async function pathAfterwards(request: Request, url: URL, session: WebSession) {
  const { searchParams } = url;
  const next = safeRedirectPath(searchParams.get("next"));
  if (isLink(next)) return next;
  const pageUser = searchParams.has("keep") ? await readPageUser(request) : undefined;
  if (pageUser) return detour("/login", request, new URL(next, url), { digest: digestOf(session), session, pageUser });
  const parameters = ["next", "form"].flatMap((name) =>
    searchParams.has(name) ? [[name, searchParams.get(name)!]] : [],
  );
  return parameters.length > 0 ? `/login?${new URLSearchParams(parameters)}` : "/login";
}

/** The cookie has little room. */
const maxPathLength = 1000;

export default function Logout() {
  return (
    <div className="panel max-w-[30rem] p-6">
      <PageTitle title={t("common.logOut")} />
      <h1>{t("common.logOut")}</h1>
      <p className="mt-2">{question}</p>
      <Form method="post" action="/logout" className="modal-foot">
        <Link className="btn btn-quiet" to="/dashboard">
          {t("common.cancel")}
        </Link>
        <button type="submit" className="btn btn-primary">
          {t("common.logout")}
        </button>
      </Form>
    </div>
  );
}
