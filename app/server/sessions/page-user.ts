import { createHmac } from "node:crypto";
import { nanoid } from "nanoid";
import { createContext, data } from "react-router";
import { config } from "#lib/config.ts";
import { readAnyFields } from "#lib/intake/form-body.ts";
import { isMultipart } from "#lib/intake/multipart.ts";
import { peekField } from "#lib/intake/peek-field.ts";
import { t } from "#lib/messages/staff.ts";
import type { CurrentUser } from "#provider/contract/users.ts";
import { mebibytesInBytes } from "#lib/units.ts";
import { findDraft } from "../drafts/drafts.ts";
import { isSecret, isTyped, maxFormBytes } from "../drafts/interrupted.ts";
import type { Context } from "../request/router-context.ts";

/** Forms of signed-in pages say for whom their page was made, so that none is saved by another user's session. */

export const pageUserField = "page_user";

const { SESSION_SECRET, PROVIDER_URL } = config();

const sign = (text: string, secret = SESSION_SECRET[0]) =>
  createHmac("sha256", secret).update(`page-user:${text}`).digest("base64url").slice(0, 22);

/** Other providers may number the users of each company. */
const whoOf = ({ id, company }: CurrentUser, secret?: string) =>
  sign(`${PROVIDER_URL ?? ""} ${company?.id ?? ""} ${id}`, secret);

const maxNameLength = 60;

/** The value of that field: a keyed digest of the user's id, and the name that the page shows, signed; and the page's own id. */
function pageUserOf(user: CurrentUser): string {
  const signed = `${whoOf(user)}.${Buffer.from((user.name || user.email).slice(0, maxNameLength)).toString("base64url")}`;
  return `${signed}.${sign(signed)}.${nanoid()}`;
}

/** The id of the page that sent a form, from its body; undefined for one of no page. */
export const pageOfForm = (sent: string) => new URLSearchParams(sent).get(pageUserField)?.split(".")[3];

const pageUserContext = createContext<string | null>(null);

export const setPageUser = (context: Context, user: CurrentUser) => context.set(pageUserContext, pageUserOf(user));

/** For the forms of the page that is being made; undefined for guests. */
export const getPageUser = (context: Context) => context.get(pageUserContext) ?? undefined;

/** For whom a form's page was made. `value` is the field's. */
export type PageUser = { who: string; name: string; value: string };

/** Undefined if the form does not say it in a value of ours. Its body can still be read. */
export async function readPageUser(request: Request): Promise<PageUser | undefined> {
  const value = await peekField(request, pageUserField);
  const [who = "", name = "", signature] = value?.split(".") ?? [];
  const isOurs = SESSION_SECRET.some((secret) => sign(`${who}.${name}`, secret) === signature);
  return value && isOurs ? { who, name: Buffer.from(name, "base64url").toString(), value } : undefined;
}

export const isPageUser = (who: string | undefined, user: CurrentUser) =>
  SESSION_SECRET.some((secret) => whoOf(user, secret) === who);

/** One-time codes too, and what a passkey said, which is its user's own. */
const isSecretHere = (name: string) => isSecret(name) || name === "code" || isPasskey(name);
const isPasskey = (name: string) => name === "response";

const maxFileBytes = mebibytesInBytes(210);

type Sent = { request: Request; url: URL; draft: string | undefined };

/** What is shown in place of a form's reply if another user's session sent it. Nothing of it was handled. */
export async function otherUsersForm({ request, url, draft }: Sent, user: CurrentUser, opener: PageUser | undefined) {
  const files = new Map<string, number>();
  const onFile = (name: string) => void files.set(name, (files.get(name) ?? 0) + 1);
  const fieldsSent = await readAnyFields(request, maxFormBytes, { maxFileBytes, onFile });
  const all = [...(fieldsSent ?? [])].filter(([name]) => name !== pageUserField);
  const [secrets, fields] = [all.filter(([name]) => isSecretHere(name)), all.filter(([name]) => !isSecretHere(name))];
  const name = user.name || user.email;
  const isOthersDraft = draft !== undefined && (await findDraft(user.id, draft)) === undefined;
  const page = url.pathname + url.search;
  const isIndex = new URL(request.url).searchParams.has("index");
  return data(
    {
      kind: "other-user",
      // For tabs that were opened before an upgrade, and so do not know this kind.
      message: t("server.sessions.pageUser.nothingSaved", { name }),
      opener,
      user: { name, value: pageUserOf(user) },
      page,
      action: isIndex ? `${page}${url.search ? "&" : "?"}index` : page,
      isMultipart: isMultipart(request),
      typed: fields.filter(isTyped),
      fields,
      secrets: secrets.flatMap(([name, value]) => (value && !name.startsWith("__") && !isPasskey(name) ? [name] : [])),
      files: [...files].map(([name, count]) => ({ name, count })),
      isOwnAccount: /^\/(profile|confirm)(\/|$)/.test(url.pathname),
      canSave: fieldsSent !== undefined && !isOthersDraft && !secrets.some(([name]) => isPasskey(name)),
    },
    { status: 409 },
  );
}
