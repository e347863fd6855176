import { RouterContextProvider } from "react-router";
import { expect, test } from "vitest";
import { getSession, hasUser, sessionMiddleware } from "./session.ts";

/** The cookie that a browser has after a response to which `change` was made. */
async function cookieAfter(change: (session: ReturnType<typeof getSession>) => void) {
  const context = new RouterContextProvider();
  const request = new Request("http://localhost/");
  const middleware = sessionMiddleware as (...of: unknown[]) => Promise<Response>;
  const response = await middleware({ request, context, params: {} }, async () => {
    change(getSession(context));
    return new Response();
  });
  return response.headers.get("set-cookie")!.split(";")[0]!;
}

test("only the signed cookie of a user who signed in counts as a user's", async () => {
  const users = await cookieAfter((session) => session.set("token", "a token"));
  const guests = await cookieAfter((session) => session.flash("notice", "Signed out"));
  expect(await hasUser(users)).toBe(true);
  expect(await hasUser(`theme=dark; ${users}`)).toBe(true);
  const [name, value] = users.split("=") as [string, string];
  for (const other of [guests, "", "a=b", `${name}=made-up`, `${name}=${value.replace(/.$/, "")}`, "=;=%"]) {
    expect(await hasUser(other), other).toBe(false);
  }
});
