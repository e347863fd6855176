import { redirect, redirectDocument } from "react-router";
import { safeRedirectPath } from "../request/safe-redirect.ts";
import type { Context } from "../request/router-context.ts";
import { failure } from "../provider/failure.ts";
import { rememberBrowser } from "./browser.ts";
import { getSession, maxTokenLength, redirectWithNotice } from "./session.ts";

type Opened = { user: { id: number; name: string; email: string }; token: string };

export function signBrowserIn(context: Context, url: URL, { user, token }: Opened, more = "") {
  const session = getSession(context);
  session.set("token", shortEnough(token));
  session.unset("factor");
  session.unset("signOutOrigin");
  if (!session.has("user")) session.set("user", user.id);
  rememberBrowser(context);
  const path = safeRedirectPath(url.searchParams.get("next") ?? "/dashboard");
  return redirectWithNotice(context, path, `Signed in as ${user.name || user.email}${more}`, {
    redirectBy: redirectFor(context),
  });
}

/** An interrupted form comes back with a document of its own (`restore.ts`). */
export const redirectFor = (context: Context) => (getSession(context).has("interrupted") ? redirectDocument : redirect);

export function toSecondStep(context: Context, url: URL, token: string) {
  getSession(context).set("factor", shortEnough(token));
  rememberBrowser(context);
  return redirect(`/login/second-factor?${url.searchParams}`);
}

function shortEnough(token: string) {
  if (token.length <= maxTokenLength) return token;
  const message = "The provider’s token is too long for a cookie. Contact the operator of the provider.";
  throw failure(422, { kind: "refused", message });
}
