import { redirect, redirectDocument } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { safeRedirectPath } from "../request/safe-redirect.ts";
import type { Context } from "../request/router-context.ts";
import { failure } from "../provider/failure.ts";
import { rememberBrowser } from "./browser.ts";
import { getSession, maxTokenLength, redirectWithNotice } from "./session.ts";

type Opened = { user: { id: number; name: string; email: string }; token: string };

/** Completes every way of signing in. `next` is an untrusted address; `codesLeft` counts recovery codes, after one was used. */
export function signBrowserIn(context: Context, next: string | null, { user, token }: Opened, codesLeft?: number) {
  const session = getSession(context);
  session.set("token", shortEnough(token));
  session.unset("secondStepToken");
  session.unset("signOutOrigin");
  session.set("user", user.id);
  rememberBrowser(context);
  const name = user.name || user.email;
  return redirectSignedIn(
    context,
    next,
    codesLeft === undefined
      ? t("server.sessions.signIn.signedInAs", { name })
      : t("server.sessions.signIn.signedInByRecoveryCode", { name, left: codesLeft }),
  );
}

/** Redirects users who proved their identity anew back to what they wanted to do. */
export const redirectConfirmed = (context: Context, next: string | null) =>
  redirectSignedIn(context, next, t("server.sessions.signIn.confirmed"));

/** By a full page load: the current document was made for another user, and an interrupted form is served with one (`restore.ts`). */
const redirectSignedIn = (context: Context, next: string | null, notice: string) =>
  redirectWithNotice(context, safeRedirectPath(next ?? "/dashboard"), notice, { redirectBy: redirectDocument });

export function toSecondStep(context: Context, url: URL, token: string) {
  getSession(context).set("secondStepToken", shortEnough(token));
  rememberBrowser(context);
  return redirect(`/login/second-factor?${url.searchParams}`);
}

function shortEnough(token: string) {
  if (token.length <= maxTokenLength) return token;
  const message = t("server.sessions.signIn.tokenTooLong");
  throw failure(422, { kind: "refused", message });
}
