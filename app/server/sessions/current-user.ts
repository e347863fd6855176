import { createContext, type MiddlewareFunction, redirect } from "react-router";
import { say } from "#messages/staff.ts";
import { type Area, type Permissions, type Right, reach } from "#provider/contract/permissions.ts";
import type { CurrentUser } from "#provider/contract/users.ts";
import type { Fields } from "#intake/fields.ts";
import { discardBody } from "#storage/discard-body.ts";
import { isRestoring, noteUser, requestContext } from "../request/request-context.ts";
import { storeInterrupted } from "../drafts/interrupted.ts";
import { asFailure, failure } from "../provider/failure.ts";
import { learnOffers, offersOf } from "../provider/offers.ts";
import { getProvider, providerForOffers } from "../provider/context.ts";
import { steps } from "../provider/refusals.ts";
import type { Context } from "../request/router-context.ts";
import { allowFormTarget } from "../request/security.ts";
import { returnPath } from "../request/safe-redirect.ts";
import { digestOf, getSession, type WebSession } from "./session.ts";

const beforeSetUp = [steps["second factor"], steps.proof, "/confirm/passkey", "/confirm/passkey/options", "/logout"];

const userContext = createContext<CurrentUser>();

export const signedInOnly: MiddlewareFunction<Response> = async ({ request, context, url }, next) => {
  const session = getSession(context);
  // Read now, because a token that the provider rejects is removed from the session.
  const digest = session.has("user") ? digestOf(session) : undefined;
  try {
    if (!session.get("token")) throw redirect("/login");
    context.set(userContext, await fetchCurrentUser(context));
  } catch (thrown) {
    if (!(thrown instanceof Response)) throw await withForm(thrown, request, url, { digest, session });
    throw redirect(await detour("/login", request, url, { digest, session }));
  }
  const { id, must_set_up_second_factor: mustSetUp } = getUser(context);
  if (mustSetUp && !beforeSetUp.includes(url.pathname)) {
    throw redirect(await detour(steps["second factor"], request, url, { digest, session }));
  }
  const signOutOrigin = session.get("signOutOrigin");
  if (signOutOrigin) allowFormTarget(context, signOutOrigin);
  const isOther = session.get("user") !== id;
  if (isOther) {
    session.unset("interrupted");
    session.set("user", id);
  }
  await learnOffers(getUser(context), () => providerForOffers(context));
  if (isRestoring() && isOther) throw redirect(returnPath(url));
  const response = await next();
  const { form, needsProof } = requestContext() ?? {};
  if (form && digest && !session.has("token"))
    throw redirect(await detour("/login", request, url, { digest, session, form }));
  if (form && needsProof) throw redirect(await detour(steps.proof, request, url, { digest, session, form }));
  if (isRestoring() && response.status < 500) session.unset("interrupted");
  return response;
};

/** A failure that says whether the form that was sent will be there again. Scripts keep it by themselves. */
async function withForm(thrown: unknown, request: Request, url: URL, { digest, session }: Ended): Promise<unknown> {
  const failed = asFailure(thrown);
  if (!failed || !digest || request.method !== "POST" || new URL(request.url).pathname.endsWith(".data")) return thrown;
  const kept = await keepForm(request, url, { digest, session }).catch(() => undefined);
  if (kept !== "kept") return thrown;
  const { status, message, ...rest } = failed;
  return failure(status, {
    ...rest,
    message: say("server.sessions.currentUser.nothingSavedFormKept", { message }),
  });
}

type Ended = { digest: string | undefined; session: WebSession; form?: Fields };

/** A page that leads back to `url`: with the form that was sent, or else without a dialog, unless only a proof lacked. */
async function detour(page: string, request: Request, url: URL, { digest, session, form }: Ended) {
  const next = withDialog(url, form);
  if (next.pathname === "/" || next.pathname === "/logout") return page;
  const kept = await keepForm(request, next, { digest, session, form });
  const isComplete = kept === "kept" || (page === steps.proof && kept !== "lost");
  if (!isComplete) for (const name of ["dialog", "at"]) next.searchParams.delete(name);
  return `${page}?${new URLSearchParams({ next: returnPath(next), ...(kept && { form: kept }) })}`;
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
async function keepForm(request: Request, url: URL, { digest, session, form }: Ended) {
  const interruption = digest && (await storeInterrupted(request, returnPath(url), digest, form));
  await discardBody(request);
  if (!interruption) return undefined;
  if (interruption === "lost") return "lost";
  session.set("interrupted", interruption.id);
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

export const guestsOnly: MiddlewareFunction<Response> = async ({ context }) => {
  if (getSession(context).get("token")) throw redirect("/");
};

/** For pages below the signed-in layout; others fetch the user. */
export const getUser = (context: Context) => context.get(userContext);

export const getOffers = (context: Context) => offersOf(getUser(context));

/** The specification's own time zone if the provider names none. */
export const timeZoneOf = ({ company }: Pick<CurrentUser, "company">) => company?.timezone ?? "Europe/London";

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
  throw failure(403, { kind: "refused", message: say("server.sessions.currentUser.notLet", { action }) });
}
