import { type FormClient, signInClient } from "./form-client.ts";
import { test as journey } from "./journey.ts";

/** Journeys' `test` for what needs no browser: with a client of the server, signed in as Helen Marsh. */
export const test = journey.extend<object, { client: FormClient }>({
  client: [async ({ server }, use) => use(await signInClient(server.url)), { scope: "worker" }],
});

export { expect } from "./journey.ts";
