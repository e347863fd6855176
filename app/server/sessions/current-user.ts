import { createContext, type MiddlewareFunction, redirect } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { type Area, type Permissions, type Right, reach } from "#provider/contract/permissions.ts";
import type { CurrentUser } from "#provider/contract/users.ts";
import type { Fields } from "#lib/intake/fields.ts";
import { discardBody } from "#lib/storage/files/discard-body.ts";
import { isRestoring, noteUser, requestContext } from "../request/request-context.ts";
import { storeInterrupted } from "../drafts/interrupted.ts";
import { asFailure, failure } from "../provider/failure.ts";
import { lackingOffer, learnOffers, type Offer, offersOf } from "../provider/offers.ts";
import { getProvider, providerForOffers } from "../provider/context.ts";
import { steps } from "../provider/refusals.ts";
import { zoneOf } from "../provider/time-zone.ts";
import type { Context } from "../request/router-context.ts";
import { allowFormTarget } from "../request/security.ts";
import { returnPath } from "../request/safe-redirect.ts";
import { isPageUser, otherUsersForm, type PageUser, pageUserField, readPageUser, setPageUser } from "./page-user.ts";
import { digestOf, getSession, redirectWithRefusal, type WebSession } from "./session.ts";

const beforeSetUp = [steps["second factor"], steps.proof, "/confirm/passkey", "/confirm/passkey/options", "/logout"];

const userContext = createContext<CurrentUser>();

export const signedInOnly: MiddlewareFunction<Response> = async ({ request, context, url, params }, next) => {
  if (request.method === "GET" && url.searchParams.has(pageUserField)) throw redirect(withoutPageUser(url));
  const session = getSession(context);
  // Read now, because a token that the provider rejects is removed from the session.
  const digest = session.has("user") ? digestOf(session) : undefined;
  const isForm = request.method === "POST" && !isRestoring() && (digest !== undefined || session.has("token"));
  const pageUser = isForm ? await readPageUser(request) : undefined;
  const ended = { digest, session, pageUser };
  try {
    if (!session.get("token")) throw redirect("/login");
    context.set(userContext, await fetchCurrentUser(context));
  } catch (thrown) {
    if (!(thrown instanceof Response)) throw await withForm(thrown, request, url, ended);
    throw redirect(await detour("/login", request, url, ended));
  }
  const user = getUser(context);
  if (isForm && url.pathname !== "/logout" && !isPageUser(pageUser?.who, user)) {
    throw await otherUsersForm({ request, url, draft: params.draft }, user, pageUser);
  }
  setPageUser(context, user);
  if (user.must_set_up_second_factor && !beforeSetUp.includes(url.pathname)) {
    throw redirect(await detour(steps["second factor"], request, url, ended));
  }
  const signOutOrigin = session.get("signOutOrigin");
  if (signOutOrigin) allowFormTarget(context, signOutOrigin);
  if (session.get("user") !== user.id) session.unset("tariff");
  session.set("user", user.id);
  const isOthersForm = !isPageUser(session.get("interruptedOf"), user);
  if (isOthersForm) session.unset("interrupted");
  await learnOffers(user, () => providerForOffers(context));
  if (isRestoring() && isOthersForm) throw redirect(returnPath(url));
  const response = await next();
  const { form, needsProof } = requestContext() ?? {};
  if (form && digest && !session.has("token")) throw redirect(await detour("/login", request, url, { ...ended, form }));
  if (form && needsProof) throw redirect(await detour(steps.proof, request, url, { ...ended, form }));
  if (isRestoring() && response.status < 500) session.unset("interrupted");
  return response;
};

/** Buttons of a form that search or preview by an address send its hidden fields too. */
function withoutPageUser(url: URL) {
  const address = new URL(url);
  address.searchParams.delete(pageUserField);
  return returnPath(address);
}

/** A failure that says whether the form that was sent will be there again. Scripts keep it by themselves. */
async function withForm(thrown: unknown, request: Request, url: URL, ended: Ended): Promise<unknown> {
  const failed = asFailure(thrown);
  if (!failed || !ended.digest || request.method !== "POST" || new URL(request.url).pathname.endsWith(".data"))
    return thrown;
  const formId = await keepForm(request, url, ended).catch(() => undefined);
  if (formId !== "kept") return thrown;
  const { status, message, ...rest } = failed;
  return failure(status, {
    ...rest,
    message: t("server.sessions.currentUser.nothingSavedFormKept", { message }),
  });
}

/** `pageUser`: for whom the page of the form was made, to whom alone it comes back. */
type Ended = { digest: string | undefined; session: WebSession; pageUser: PageUser | undefined; form?: Fields };

/** A page that leads back to `url`: with the form that was sent, or else without a dialog, unless only a proof lacked. */
export async function detour(page: string, request: Request, url: URL, ended: Ended) {
  const next = withDialog(url, ended.form);
  if (next.pathname === "/" || next.pathname === "/logout") return page;
  const formId = await keepForm(request, next, ended);
  const isComplete = formId === "kept" || (page === steps.proof && formId !== "lost");
  if (!isComplete) for (const name of ["dialog", "at"]) next.searchParams.delete(name);
  return `${page}?${new URLSearchParams({ next: returnPath(next), ...(formId && { form: formId }) })}`;
}

/** The address of the dialog that a form was in. */
function withDialog(url: URL, form: Fields | undefined) {
  const address = new URL(url);
  for (const name of ["dialog", "at"]) {
    const value = form?.get(name);
    if (value) address.searchParams.set(name, value);
  }
  return address;
}

/** Stores a form that could not be handled; undefined if nothing was sent. */
async function keepForm(request: Request, url: URL, { digest, session, pageUser, form }: Ended) {
  const interruption = digest && (await storeInterrupted(request, returnPath(url), digest, form));
  await discardBody(request);
  if (!interruption) return undefined;
  if (interruption === "lost" || !pageUser) return "lost";
  session.set("interrupted", interruption.id);
  session.set("interruptedOf", pageUser.who);
  return "kept";
}

/** Checks session and rights again after a slow upload. */
export async function refetchUser(context: Context) {
  context.set(userContext, await fetchCurrentUser(context));
}

export async function fetchCurrentUser(context: Context): Promise<CurrentUser> {
  const reply = await getProvider(context).currentUser();
  const user = Array.isArray(reply) ? reply[0]! : reply;
  noteUser(user.id);
  return user;
}

export const guestsOnly: MiddlewareFunction<Response> = async ({ request, context, url }) => {
  if (!getSession(context).get("token")) return;
  const isSignIn = request.method === "POST" || url.pathname.startsWith("/login/sso/return");
  const refusal = t("server.sessions.currentUser.signedInAlready");
  throw isSignIn ? redirectWithRefusal(context, "/dashboard", refusal) : redirect("/");
};

/** For pages below the signed-in layout; others fetch the user. */
export const getUser = (context: Context) => context.get(userContext);

export const getOffers = (context: Context) => offersOf(getUser(context));

/** Throws the page that says what the provider lacks. */
export function requireOffer(context: Context, name: Offer) {
  if (!getOffers(context)[name]) throw lackingOffer(name);
}

export const timeZoneOf = ({ company }: Pick<CurrentUser, "company">) => zoneOf(company?.timezone).zone;

/** Providers without permissions decide call by call. */
export const may = ({ permissions }: { permissions?: Permissions | undefined }, area: Area, right: Right) =>
  !permissions || reach(permissions[area], right) !== undefined;

export const mayInCompany = ({ permissions }: { permissions?: Permissions | undefined }, area: Area, right: Right) =>
  !permissions || reach(permissions[area], right) === "company";

/** `action` completes "does not let you …". */
export function requireRight(context: Context, area: Area, right: Right, action: string) {
  if (!may(getUser(context), area, right)) refuse(action);
}

export function requireRightInCompany(context: Context, area: Area, right: Right, action: string) {
  if (!mayInCompany(getUser(context), area, right)) refuse(action);
}

function refuse(action: string): never {
  throw failure(403, { kind: "refused", message: t("server.sessions.currentUser.notLet", { action }) });
}
