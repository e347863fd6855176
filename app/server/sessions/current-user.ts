import { createContext, type MiddlewareFunction, redirect } from "react-router";
import { type Area, type Permissions, type Right, reach } from "#provider/contract/permissions.ts";
import type { CurrentUser } from "#provider/contract/users.ts";
import { discardBody } from "#storage/discard-body.ts";
import { noteUser } from "../request/request-context.ts";
import { storeInterrupted } from "../drafts/interrupted.ts";
import { failure } from "../provider/failure.ts";
import { offersOf } from "../provider/offers.ts";
import { getProvider } from "../provider/context.ts";
import type { Context } from "../request/router-context.ts";
import { returnPath } from "../request/safe-redirect.ts";
import { digestOf, getSession } from "./session.ts";

const userContext = createContext<CurrentUser>();

export const signedInOnly: MiddlewareFunction<Response> = async ({ request, context, url }) => {
  const session = getSession(context);
  // Read now, because a token that the provider rejects is removed from the session.
  const digest = digestOf(session);
  try {
    if (!session.get("token")) throw redirect(signInPath(url));
    context.set(userContext, await fetchCurrentUser(context));
  } catch (thrown) {
    if (thrown instanceof Response) {
      const interrupted = digest && (await storeInterrupted(request, url.pathname, digest));
      if (interrupted) session.set("interrupted", interrupted);
      await discardBody(request);
    }
    throw thrown;
  }
};

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

/** The sign-in page, which leads back to `url` but opens no dialog there. */
function signInPath(url: URL) {
  const next = new URL(url);
  for (const name of ["dialog", "at"]) next.searchParams.delete(name);
  if (next.pathname === "/" || next.pathname === "/logout") return "/login";
  return `/login?${new URLSearchParams({ next: returnPath(next) })}`;
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
  throw failure(403, { kind: "refused", message: `Your access group does not let you ${action}.` });
}
