import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The built route table, the server's, which has files and feeds as well: so that a new address can't be forgotten by a test. */
export type BuiltRoute = {
  /** As in `app/routes.ts`, from the root: `/documents/:id`. */
  pattern: string;
  hasAction: boolean;
};

type Entry = { id: string; parentId?: string; path?: string; index?: boolean; hasAction: boolean };

const server = join(import.meta.dirname, "..", "..", "build/server/index.js");

/** Every address that leads somewhere. */
export function builtRoutes(): BuiltRoute[] {
  const [, manifest] = /^var server_manifest_default = (\{\n.*?\n\});$/ms.exec(readFileSync(server, "utf8"))!;
  const json = manifest!.replace(/,?\s*"\w+": void 0/g, "");
  const { routes } = JSON.parse(json) as { routes: Record<string, Entry> };
  const pathOf = ({ path, parentId }: Entry): string =>
    [parentId && pathOf(routes[parentId]!), path].filter(Boolean).join("/");
  return Object.values(routes)
    .filter(({ path, index, id }) => (path !== undefined || index) && id !== "root")
    .map((entry) => ({ pattern: `/${pathOf(entry).replace(/^\/+/, "")}`, hasAction: entry.hasAction }));
}

/** These actions read no body. */
const readNothing = [
  "/logout",
  "/login/passkey/options",
  "/confirm/passkey/options",
  "/profile/passkeys/options",
  "/confirm-email",
  "/sign-in-link",
  "/users/view/:id",
  "/documents/new/:draft/review",
  "/api/*",
  "/scim/v2/*",
  "/*",
  "/metrics",
];

/** These pass a file on to the provider while it arrives, which refuses it by code, rate and place before it reads it. */
export const passOn = [
  "/documents/:id/file-check",
  "/documents/bulk/:id/content",
  "/v/:code/file",
  "/users/import",
  "/branches/import",
];

/** The calls that refuse files of records which are not there before they read them. */
export const refuseFirst = [
  "/api/verify/{code}/file",
  "/api/bulk-issues/{id}/table",
  "/api/bulk-issues/{id}/archive",
  // Nobody of the sample releases.
  "/api/releases/{id}/release",
  "/api/releases/{id}/return",
];

/** These redirect signed-in users. */
const forGuests = ["/login", "/login/second-factor", "/login/passkey", "/forgot", "/signup"];

/** Pages and calls for anybody, which read forms of visitors alone, and signing out, which is safe for anybody. */
const readByPrograms = ["/metrics", "/api/*", "/scim/v2/*", "/*"];
const notOfOneUser = ["/signup", "/confirm-email", "/sign-in-link", "/theme", "/logout", ...readByPrograms];

/** The addresses that read forms of signed-in users. */
export const signedInForms = () =>
  builtRoutes()
    .filter(({ pattern, hasAction }) => hasAction && !/^\/(login|forgot|v|received)(\/|$)/.test(pattern))
    .map(({ pattern }) => pattern)
    .filter((pattern) => !notOfOneUser.includes(pattern));

/** The addresses that read forms: who may post there, and in which encoding the page sends its form. */
export const formRoutes = () =>
  builtRoutes()
    .filter(({ pattern, hasAction }) => hasAction && ![...readNothing, ...passOn].includes(pattern))
    .map(({ pattern }) => ({
      pattern,
      isForGuests: forGuests.includes(pattern),
      isUpload: pattern.endsWith("/pages"),
    }));

/** An address that a pattern matches. */
export const addressOf = (pattern: string) => pattern.replace(/:\w+/g, "1").replace("*", "nothing/here");
