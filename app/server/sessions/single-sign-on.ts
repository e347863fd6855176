import { createCookie } from "react-router";
import { config } from "#lib/config.ts";
import { t } from "#lib/messages/staff.ts";
import { minutesInSeconds } from "#lib/units.ts";
import { resources } from "../process/resources.ts";
import { getProvider } from "../provider/context.ts";
import { asFailure, notOffered } from "../provider/failure.ts";
import { isHttps } from "../request/host.ts";
import type { Context } from "../request/router-context.ts";
import { safeRedirectPath } from "../request/safe-redirect.ts";
import { getSession } from "./session.ts";

/** Of the embedded provider alone: another one sends browsers back to addresses of its own. */
export const hasSingleSignOn = () => resources().embedded !== undefined;

export const requireSingleSignOn = () => {
  if (!hasSingleSignOn()) throw notOffered(t("server.provider.lackingWords.singleSignOn"));
};

export type WayToSignIn = { host: string; path: string };

export async function readWays(context: Context, url: URL): Promise<{ passwords: boolean; others: WayToSignIn[] }> {
  if (!hasSingleSignOn()) return { passwords: true, others: [] };
  const addresses = ["", ...[getSession(context).get("signInAddress") ?? []].flat()];
  try {
    const replies = await Promise.all(
      addresses.map((address) => getProvider(context).signInWays({ query: { address } })),
    );
    const others = replies.flatMap(({ identity_provider: host }, n) =>
      host ? [{ host, path: beginPath(addresses[n]!, url) }] : [],
    );
    return { passwords: replies[0]!.passwords, others };
  } catch (thrown) {
    if (!asFailure(thrown)) throw thrown;
    return { passwords: true, others: [] };
  }
}

export const beginPath = (address: string, url: URL) => withNext("/login/sso", url, address ? { address } : {});

export const signInPath = (address: string, url: URL) =>
  withNext(address ? `/login/at/${encodeURIComponent(address)}` : "/login", url);

function withNext(path: string, url: URL, others: Record<string, string> = {}) {
  const next = url.searchParams.get("next");
  const query = new URLSearchParams({ ...others, ...(next && { next }) });
  return query.size > 0 ? `${path}?${query}` : path;
}

type Begun = { attempt: string; next: string };

const isSecure = isHttps();
const cookie = createCookie(isSecure ? "__Host-sealdesk-sign-in" : "sealdesk-sign-in", {
  secrets: config().SESSION_SECRET,
  secure: isSecure,
  httpOnly: true,
  sameSite: "lax",
  path: "/",
  maxAge: minutesInSeconds(10),
});

const maxNextLength = 1000;

export function storeAttempt(attempt: string, next: string | null): Promise<string> {
  const path = safeRedirectPath(next ?? "/dashboard", "/dashboard");
  return cookie.serialize({ attempt, next: path.length > maxNextLength ? "/dashboard" : path } satisfies Begun);
}

export async function readAttempt(request: Request): Promise<Begun | undefined> {
  const stored: unknown = await cookie.parse(request.headers.get("cookie"));
  const { attempt, next } = (stored ?? {}) as Partial<Begun>;
  return typeof attempt === "string" && typeof next === "string"
    ? { attempt, next: safeRedirectPath(next) }
    : undefined;
}

export const forgetAttempt = () => cookie.serialize("", { maxAge: 0 });
