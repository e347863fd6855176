import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Page } from "@playwright/test";
import { Provider } from "oidc-provider";
import { freePort } from "./postgres.ts";

/** A person as the identity provider knows them. */
type Account = { name: string; email: string; email_verified: boolean; groups: string[] };

export const client = { id: "sealdesk", secret: "the client's secret & a bit more" };

export type IdentityProvider = {
  url: string;
  /** By their names there, which is all that signing in there takes. */
  accounts: Record<string, Account>;
  /** Answers as it should, never, or with a page. */
  answers: "well" | "never" | "with a page";
  /** Lets a Sealdesk use it, at its own address and at companies' sign-in addresses. */
  allow(server: string, ...addresses: string[]): void;
  stop(): Promise<void>;
};

const page = (content: string) =>
  `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Identity provider</title><main>${content}</main></html>`;

/** Starts `oidc-provider`, an OpenID Certified one, on the loopback address, which is another site than `localhost`. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let provider: Provider | undefined;
  const server = createServer((request, response) => {
    if (state.answers === "never") return;
    if (state.answers === "with a page") return void response.setHeader("content-type", "text/html").end(page("Hello"));
    if (!provider) return void response.writeHead(503).end();
    if (request.url!.startsWith("/interaction/")) return void interact(provider, request, response);
    void provider.callback()(request, response);
  });
  const state: IdentityProvider = {
    url,
    accounts: {},
    answers: "well",
    allow(sealdesk, ...addresses) {
      const returns = ["", ...addresses.map((address) => `/${address}`)].map(
        (end) => `${sealdesk}/login/sso/return${end}`,
      );
      provider = makeProvider(url, state.accounts, { returns, afterSignOut: `${sealdesk}/login` });
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return state;
}

type Addresses = { returns: string[]; afterSignOut: string };

function makeProvider(url: string, accounts: Record<string, Account>, { returns, afterSignOut }: Addresses) {
  return new Provider(url, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: returns,
        post_logout_redirect_uris: [afterSignOut],
      },
    ],
    cookies: { keys: ["a key of tests"] },
    claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"], groups: ["groups"] },
    pkce: { required: () => true },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...accounts[accountId] }) }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    // Nobody is asked what Sealdesk may know.
    async loadExistingGrant({ oidc }) {
      const grantId = oidc.session!.grantIdFor(oidc.client!.clientId);
      if (grantId) return oidc.provider.Grant.find(grantId);
      const grant = new oidc.provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId! });
      grant.addOIDCScope("openid profile email groups");
      await grant.save();
      return grant;
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource(context, form) {
          context.body = page(
            `${form}<button form="op.logoutForm" name="logout" value="yes">Sign out here as well</button>`,
          );
        },
      },
    },
  });
}

/** The page where people say who they are. */
async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse) {
  if (request.method !== "POST") {
    const form = `<form method="post"><label>Name <input name="account"></label><button>Continue</button><button name="stop" value="1">Stop</button></form>`;
    return void response.setHeader("content-type", "text/html").end(page(form));
  }
  let body = "";
  for await (const chunk of request) body += String(chunk);
  const parameters = new URLSearchParams(body);
  const result = parameters.has("stop")
    ? { error: "access_denied", error_description: "Stopped" }
    : { login: { accountId: parameters.get("account") ?? "" } };
  await provider.interactionFinished(request, response, result);
}

/** Says at the identity provider who one is. */
export async function continueAs(page: Page, account: string) {
  await page.getByLabel("Name").fill(account);
  await page.getByRole("button", { name: "Continue" }).click();
}
