import { describe, expect, test } from "vitest";
import { addKey } from "#tests/fixtures/api-keys.ts";
import { hasDatabase, type TestProvider, testProvider } from "#tests/fixtures/provider.ts";
import { type CallName, calls } from "../contract/calls.ts";
import type { CallRequest } from "./call-request.ts";

/** Pages in the provider's process make calls without HTTP. */
describe.runIf(hasDatabase())("a call without HTTP", () => {
  const client = { clientAddress: "192.0.2.1" };

  /** The same call both ways: status, headers and content. */
  async function bothWays({ provider }: TestProvider, name: CallName, callOptions: Partial<CallRequest>) {
    const { params = {}, query = {}, token } = callOptions;
    const path = calls[name].path.replace(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(params[param]!));
    const url = `http://provider/api${path}?${new URLSearchParams(query)}`;
    const headers = { ...(token && { authorization: `Bearer ${token}` }) };
    const request = new Request(url, { headers });
    const { signal } = request;
    const callRequest = { params, query, token, isUncounted: false, signal, url, request };
    const direct = await provider.callInProcess(calls[name], callRequest, client);
    const httpReply = await provider.fetch(request.clone(), client);
    const content = direct instanceof Response ? await direct.json() : direct.content;
    const listed = (reply: { headers: Headers }) =>
      ["x-total-count", "link", "retry-after"].map((header) => reply.headers.get(header));
    return {
      direct: { status: direct.status, headers: listed(direct), content },
      sent: { status: httpReply.status, headers: listed(httpReply), content: await httpReply.json() },
    };
  }

  test("is answered and refused as with HTTP", async () => {
    const provider = await testProvider();
    const { admin, id } = await provider.company();
    await provider.group(id, "Nobody", {});
    const { token: clerk } = await provider.user(id, { group: "Nobody" });
    for (let n = 0; n < 3; n++) await provider.issue(admin.token);
    const { token } = admin;
    const callOptions: [CallName, Partial<CallRequest>, number][] = [
      ["listDocuments", { token, query: { page: "1", per_page: "2", sort: "-date" } }, 200],
      ["listDocuments", { token, query: { page: "1", per_page: "x" } }, 422],
      ["listDocuments", {}, 401],
      ["listDocuments", { token: "made up" }, 401],
      ["listUsers", { token: clerk }, 403],
      ["getUser", { token, params: { id: "999999" } }, 404],
      ["getUser", { token, params: { id: "a/../b?c#d" } }, 404],
      ["currentUser", { token }, 200],
    ];
    for (const [name, request, status] of callOptions) {
      const { direct, sent: httpReply } = await bothWays(provider, name, request);
      expect(direct, `${name} ${status}`).toEqual(httpReply);
      expect(direct.status, name).toBe(status);
    }
  });

  test.each([
    ["a parameter", (key: string) => ({ params: { id: key } })],
    ["a query", (key: string) => ({ params: { id: "1" }, query: { name: key } })],
  ])("with an API key in %s is refused, and the key marked", async (_, given) => {
    const provider = await testProvider();
    const { admin } = await provider.company();
    const { key } = await addKey(provider, admin.id);
    const { direct, sent: httpReply } = await bothWays(provider, "getUser", { token: admin.token, ...given(key) });
    expect(direct).toEqual(httpReply);
    expect(direct.status).toBe(401);
    const { json: keys } = await provider.call("listOwnKeys", { token: admin.token });
    expect(keys).toMatchObject([{ exposed_at: expect.any(String) }]);
  });

  test("with a token that no header could have is refused as unknown", async () => {
    const { provider } = await testProvider();
    const { signal } = new AbortController();
    const request = { params: {}, query: {}, token: "łódź", isUncounted: false, signal };
    const callRequest = {
      ...request,
      get url(): string {
        throw new TypeError("not asked for");
      },
      get request(): Request {
        throw new TypeError("not asked for");
      },
    };
    expect((await provider.callInProcess(calls.currentUser, callRequest, client)).status).toBe(401);
  });
});
