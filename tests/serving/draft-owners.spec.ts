import { ReadableStream } from "node:stream/web";
import { expect, limits, megabyte, test } from "../support/quotas.ts";
import { asMadeFor, pagesForm, signInOverHttp, signInClient, startDraft } from "../support/form-client.ts";
import { asUpload, paddedPicture } from "../support/page-files.ts";
import { signIn } from "../support/sample.ts";
import { storedFiles } from "../support/stored.ts";

test.use({ serverEnv: limits });

const padded = async (name: string, bytes: number) => asUpload(await paddedPicture(name, bytes));

test("a user removed during an upload adds no page file", async ({ server, client }) => {
  const { token } = await signInOverHttp(server.url);
  const api = (method: string, path: string, body?: object) =>
    fetch(`${server.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
  const email = `leaver-${process.pid}@hallam.example`;
  const { password } = signIn;
  const user = { name: "Lea Leaver", email, staff: "Accountant", password, password_confirmation: password };
  const { id } = (await (await api("POST", "/users", user)).json()) as { id: number };
  const leaver = await signInClient(server.url, { email, password });
  const draft = await startDraft(leaver, "Left behind");
  const before = storedFiles(server);
  const form = new Response(asMadeFor(await leaver.pageUser(), pagesForm(await padded("a.png", megabyte))));
  const bytes = new Uint8Array(await form.arrayBuffer());
  async function* arriving() {
    yield bytes.subarray(0, 100_000);
    expect((await api("DELETE", `/users/${id}`)).status).toBe(204);
    yield bytes.subarray(100_000);
  }
  const answer = await fetch(`${server.url}${draft}/pages`, {
    method: "POST",
    body: ReadableStream.from(arriving()),
    redirect: "manual",
    headers: { cookie: leaver.cookie, origin: server.url, "content-type": form.headers.get("content-type")! },
    duplex: "half",
  } as unknown as RequestInit);
  expect(answer.headers.get("location")).toMatch(/^\/login/);
  expect(storedFiles(server)).toEqual(before);
  expect(await client.get("/documents/list").then(({ status }) => status)).toBe(200);
});

test("only administrators set the password of a user with drafts", async ({ server, client }) => {
  await client.post("/users/group", { name: "Office", users: "C:R/W/C", docs: "C:R/W/C", intent: "save" });
  const { token } = await signInOverHttp(server.url);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const api = (method: string, path: string, body: object, as = headers) =>
    fetch(`${server.url}/api${path}`, { method, headers: as, body: JSON.stringify(body) });
  const group = { name: `Office ${process.pid}`, users: "C:R/W/C", docs: "C:R/W/C" };
  expect((await api("POST", "/access-groups", group)).status).toBe(201);
  const { password } = signIn;
  const secret = { password, password_confirmation: password };
  const add = async (name: string) => {
    const user = { name, email: `${name.toLowerCase()}-${process.pid}@hallam.example`, staff: group.name };
    const { id } = (await (await api("POST", "/users", { ...user, ...secret })).json()) as { id: number };
    return { ...user, id };
  };
  const [peer, office] = [await add("Pia"), await add("Otto")];
  const signedIn = await api("POST", "/login", { email: office.email, password });
  const own = { ...headers, authorization: `Bearer ${((await signedIn.json()) as { token: string }).token}` };
  const change = () => api("PUT", `/users/${peer.id}`, { ...peer, ...secret }, own);
  expect((await change()).status).toBe(200);
  await startDraft(await signInClient(server.url, { email: peer.email, password }), "Not for others");
  const refused = await change();
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining("may see or do more than you")]);
});
