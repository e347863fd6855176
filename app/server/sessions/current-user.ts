import { createContext, type MiddlewareFunction, redirect, type RouterContextProvider } from "react-router";
import { type Area, type Permissions, type Right, reach } from "#provider/contract/permissions.ts";
import type { CurrentUser } from "#provider/contract/users.ts";
import { discardBody } from "#storage/discard-body.ts";
import { noteUser } from "../request/request-context.ts";
import { storeInterrupted } from "../drafts/interrupted.ts";
import { failure } from "../provider/failure.ts";
import { offersOf } from "../provider/offers.ts";
import { getProvider } from "../provider/context.ts";
import { returnPath } from "../request/safe-redirect.ts";
import { digestOf, getSession } from "./session.ts";

const userContext = createContext<CurrentUser>();
type Context = Readonly<RouterContextProvider>;

/** Lets a request pass whose session somebody is signed in with; sends others to the sign-in page and back. */
export const signedInOnly: MiddlewareFunction<Response> = async ({ request, context, url }) => {
  const session = getSession(context);
  // Before the provider's refusal of the token ends it here.
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

/** Asks the provider again, once a body has arrived: since its head the session or the right may have ended. */
export async function refetchUser(context: Context) {
  context.set(userContext, await fetchCurrentUser(context));
}

/** The provider's word on who is signed in; for routes without a layout. */
export async function fetchCurrentUser(context: Context): Promise<CurrentUser> {
  const reply = await getProvider(context).currentUser();
  const user = Array.isArray(reply) ? reply[0]! : reply;
  noteUser(user.id);
  return user;
}

/** The sign-in page, and from there back; not to a dialog, which would ask out of the blue. */
function signInPath(url: URL) {
  const next = new URL(url);
  for (const name of ["dialog", "at"]) next.searchParams.delete(name);
  if (next.pathname === "/" || next.pathname === "/logout") return "/login";
  return `/login?${new URLSearchParams({ next: returnPath(next) })}`;
}

/** Sends those who are signed in home: nothing here is for them. */
export const guestsOnly: MiddlewareFunction<Response> = async ({ context }) => {
  if (getSession(context).get("token")) throw redirect("/");
};

/** Who is signed in. For pages below the signed-in layout. */
export const getUser = (context: Context) => context.get(userContext);

/** What the provider offers the signed-in user beyond the specification. */
export const getOffers = (context: Context) => offersOf(getUser(context));

/** Where the user’s company is; the specification’s own place where a provider does not tell. */
export const timeZoneOf = ({ company }: Pick<CurrentUser, "company">) => company?.timezone ?? "Europe/London";

/** Whether a user has a right in an area. Providers that tell no permissions decide for themselves, call by call. */
export const may = ({ permissions }: { permissions?: Permissions | undefined }, area: Area, right: Right) =>
  !permissions || reach(permissions[area], right) !== undefined;

/** The same where the right must reach the whole company, as for what is nobody's own. */
export const mayInCompany = ({ permissions }: { permissions?: Permissions | undefined }, area: Area, right: Right) =>
  !permissions || reach(permissions[area], right) === "company";

/** Refuses a page to those who lack the right, before its form is filled in for nothing. */
export function mustBeAllowed(context: Context, area: Area, right: Right, what: string, isAllowed = may) {
  if (isAllowed(getUser(context), area, right)) return;
  throw failure(403, { kind: "refused", message: `Your access group does not let you ${what}.` });
}
