import { type MiddlewareFunction, redirect } from "react-router";
import type { Context } from "../request/router-context.ts";
import { fetchCurrentUser, guestsOnly } from "./current-user.ts";
import { getSession } from "./session.ts";

const linkPages = ["/signup", "/sign-in-link", "/confirm-email"];

export const isLink = (path: string) => linkPages.includes(path.split("?", 1)[0]!);

/** The user who is signed in where a link is opened; undefined without a session, or after it has ended. */
async function userAtLink(context: Context) {
  if (!getSession(context).get("token")) return undefined;
  return fetchCurrentUser(context).catch((thrown: unknown) => {
    if (thrown instanceof Response) return undefined;
    throw thrown;
  });
}

export const nameAtLink = async (context: Context) => {
  const user = await userAtLink(context);
  return user && (user.name || user.email);
};

/** A link's form waits until its sender has chosen whether to stay signed in. Without a link, signing up is for guests. */
export const unusedWhileSignedIn: MiddlewareFunction<Response> = async (args, next) => {
  const { request, context, url } = args;
  if (url.pathname === "/signup" && !url.searchParams.has("token")) return guestsOnly(args, next);
  const isForm = request.method === "POST" && url.pathname !== "/confirm-email";
  if (isForm && (await userAtLink(context))) throw redirect(url.pathname + url.search);
};
