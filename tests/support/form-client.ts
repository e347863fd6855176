import type { Page } from "@playwright/test";
import { signIn } from "./sample.ts";

/** An HTTP client with a session: posts the pages' forms as a browser without scripts does. */
export type FormClient = {
  url: string;
  /** The session’s cookie, as `name=value`. */
  cookie: string;
  get(path: string): Promise<Response>;
  /** For whom its pages are made, as their forms say it: the value of `page_user`. */
  pageUser(): Promise<string>;
  /** Posts a form of its own page. Redirects are not followed. */
  post(path: string, form: Record<string, string> | URLSearchParams | FormData): Promise<Response>;
  /** Posts a form as it is. */
  send(path: string, form: URLSearchParams | FormData): Promise<Response>;
  /** Without the session. */
  anonymous: Pick<FormClient, "get" | "post">;
};

/** Returns a client that has signed in by the form. */
export async function signInClient(
  url: string,
  who: { email: string; password: string } = signIn,
): Promise<FormClient> {
  const answer = await browser(url, "").post("/login", who);
  if (answer.status !== 302) throw new Error(`Signing in was answered with ${answer.status}`);
  return clientWith(url, answer);
}

/** Returns a client past the notice of its sign-in, which is in the cookie until a page has shown it. */
export async function signInClientPastNotice(
  url: string,
  who?: { email: string; password: string },
): Promise<FormClient> {
  const answer = await (await signInClient(url, who)).get("/help");
  if (!answer.headers.has("set-cookie")) throw new Error(`The notice was not taken: ${answer.status}`);
  return clientWith(url, answer);
}

function clientWith(url: string, { headers }: Response): FormClient {
  const cookie = headers.get("set-cookie")!.split(";")[0]!;
  return { ...browser(url, cookie), url, cookie, anonymous: browser(url, "") };
}

/** The value with which forms say for whom their page was made, from such a page. */
export const pageUserOf = (html: string) => / name="page_user" value="([^".]+\.[^".]+\.[^".]+)/.exec(html)![1]!;

function browser(url: string, cookie: string): Pick<FormClient, "get" | "post" | "send" | "pageUser"> {
  const request = (path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, { ...init, redirect: "manual", headers: { cookie, origin: url } });
  let pageUserPromise: Promise<string> | undefined;
  const pageUser = () => (pageUserPromise ??= request("/logout").then(async (page) => pageUserOf(await page.text())));
  const send = (path: string, body: URLSearchParams | FormData) => request(path, { method: "POST", body });
  return {
    get: (path) => request(path),
    pageUser,
    send,
    post: async (path, form) => send(path, asMadeFor(cookie ? await pageUser() : undefined, form)),
  };
}

/** The same value for the user of a browser. */
export const pageUserAt = async ({ request }: Pick<Page, "request">) =>
  pageUserOf(await (await request.get("/logout")).text());

/** A form as a page of the user sends it: what says so comes first. */
export function asMadeFor(
  pageUser: string | undefined,
  form: Record<string, string> | URLSearchParams | FormData,
): URLSearchParams | FormData {
  const entries = form instanceof FormData ? form : new URLSearchParams(form);
  const pageUserPromise = form instanceof FormData ? new FormData() : new URLSearchParams();
  if (pageUser) pageUserPromise.append("page_user", pageUser);
  for (const [name, value] of entries) pageUserPromise.append(name, value as string);
  return pageUserPromise;
}

/** The session for a browser at the same server. */
export function browserCookie({ url, cookie }: Pick<FormClient, "url" | "cookie">) {
  const [name, value] = cookie.split("=") as [string, string];
  return { name, value, url };
}

/** Begins a draft and fills in its first two steps, `fields` otherwise. Returns its address, `/documents/new/ID`. */
export async function startDraft(
  client: FormClient,
  name: string,
  fields: Record<string, string> = {},
): Promise<string> {
  const draft = await client.post("/documents/new", {
    document_type: "Contract",
    document_subtype: "Lease",
    intent: "next",
  });
  const step = draft.headers.get("location")!;
  const answer = await client.post(step, {
    version: "1",
    name,
    email: signIn.email,
    date: "21-11-2026",
    expire_type: "never",
    access_type: "QR access",
    users_access_group: "Branch staff",
    intent: "next",
    ...fields,
  });
  if (answer.headers.get("location") !== step.replace("/fields", "/pages")) throw new Error(await answer.text());
  return step.replace("/fields", "");
}

/** The form of the wizard's step with page files, as Add sends it. */
export function pagesForm(...files: File[]): FormData {
  const form = new FormData();
  form.set("intent", "add");
  for (const file of files) form.append("files", file);
  return form;
}

/** Adds page files to a draft and returns when they are stored and inspected. */
export async function addPages(client: FormClient, draft: string, files: File[]) {
  const answer = await client.post(`${draft}/pages`, pagesForm(...files));
  if (answer.status !== 302) throw new Error(await answer.text());
}

/** Presses Create. Returns the document's address. */
export async function create(client: FormClient, draft: string): Promise<string> {
  const answer = await client.post(`${draft}/review`, {});
  const location = answer.headers.get("location");
  if (!location) throw new Error(`Create was answered with ${answer.status}`);
  return location;
}

/** Returns a document's code, from its page. */
export async function codeOf(client: FormClient, document: string): Promise<string> {
  const html = await (await client.get(document)).text();
  return /\/v\/([0-9A-Z]{17})/.exec(html)![1]!;
}

/** Signs in by the API. */
export async function signInOverHttp(url: string, { email, password } = signIn): Promise<{ token: string }> {
  const answer = await fetch(`${url}/api/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  return (await answer.json()) as { token: string };
}
