import { client, type IdentityProvider, startIdentityProvider } from "./identity-provider.ts";
import { test } from "./journey.ts";
import { startSample } from "./sample-server.ts";
import type { TestServer } from "./server.ts";

/** Journeys with an identity provider, and a server of the sample company that has these settings for it. */
export const besideIdentityProvider = (settingsFor: (identityProvider: IdentityProvider) => Record<string, string>) =>
  test.extend<object, { identityProvider: IdentityProvider; server: TestServer }>({
    identityProvider: [
      async ({}, use) => {
        const identityProvider = await startIdentityProvider();
        await use(identityProvider);
        await identityProvider.stop();
      },
      { scope: "worker" },
    ],
    server: [
      async ({ storage, identityProvider }, use) => {
        const server = await startSample(storage, settingsFor(identityProvider));
        identityProvider.allow(server.url);
        await use(server);
        await server.stop();
      },
      { scope: "worker" },
    ],
  });

/** The operator's settings for it. */
export const operatorsAt = ({ url }: IdentityProvider) => ({
  OIDC_ISSUER: url,
  OIDC_CLIENT_ID: client.id,
  OIDC_CLIENT_SECRET: client.secret,
});
