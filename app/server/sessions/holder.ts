import { createCookie, redirect } from "react-router";
import { minutesInSeconds } from "#lib/units.ts";
import { providerWithToken } from "../provider/context.ts";
import { asFailure } from "../provider/failure.ts";
import { isHttps } from "../request/host.ts";
import { chosenLanguage } from "../request/language.ts";
import type { Context } from "../request/router-context.ts";

/** A holder's session: of one document, by a link, or of all that was sent to an address, by a code. */

const isSecure = isHttps();

const cookieOf = (name: string, { path = "/received", minutes = 60 } = {}) =>
  createCookie(`${isSecure ? "__Secure-" : ""}${name}`, {
    path,
    httpOnly: true,
    sameSite: "lax",
    secure: isSecure,
    maxAge: minutesInSeconds(minutes),
  });

const sessionOf = (document?: string) =>
  document ? cookieOf(`holder-${document}`, { path: `/received/${document}` }) : cookieOf("holder");
const requests = cookieOf("holder-request", { minutes: 10 });

async function tokenOf(cookies: string | null, document?: string): Promise<string | undefined> {
  const ofDocument: unknown = document && (await sessionOf(document).parse(cookies));
  const token: unknown = ofDocument || (await sessionOf().parse(cookies));
  return typeof token === "string" && token !== "" ? token : undefined;
}

export const hasHolder = async ({ headers }: Request) => (await tokenOf(headers.get("cookie"))) !== undefined;

/** The provider for the holder of a document, or of all documents of an address. */
export const holdersProvider = async (asked: { request: Request; context: Context }, document?: string) =>
  providerWithToken(asked, await tokenOf(asked.request.headers.get("cookie"), document));

export const holderCookie = (token: string, document?: string): Promise<string> => sessionOf(document).serialize(token);
export const endedHolderCookie = (): Promise<string> => sessionOf().serialize("", { maxAge: 0 });

type CodeRequest = { token: string; email: string };

export const codeRequestCookie = (request: CodeRequest): Promise<string> => requests.serialize(request);

export async function codeRequest({ headers }: Request): Promise<CodeRequest | undefined> {
  const { token, email } = ((await requests.parse(headers.get("cookie"))) ?? {}) as Partial<CodeRequest>;
  return typeof token === "string" && typeof email === "string" ? { token, email } : undefined;
}

/** An address of these pages in the language that this one's address chose. */
export function inLanguage(url: URL, path: string): string {
  const language = chosenLanguage(url.href);
  return language ? `${path}${path.includes("?") ? "&" : "?"}lang=${language}` : path;
}

/** A reply for a holder, or the way to the form that makes one. */
export async function orSignIn<Reply>(url: URL, reply: Promise<Reply>): Promise<Reply> {
  try {
    return await reply;
  } catch (thrown) {
    throw asFailure(thrown, 401) ? redirect(inLanguage(url, "/received")) : thrown;
  }
}
