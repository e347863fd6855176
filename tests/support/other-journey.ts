import { type OtherProvider, otherSignIn, startOtherProvider, type Writing } from "./other-provider.ts";
import { startServer } from "./server.ts";
import { test as journey } from "./journey.ts";

/** Journeys in front of an external provider, which has only the specification's ten calls. */
export const test = journey.extend<object, { other: OtherProvider; writing: Writing }>({
  writing: ["fields", { option: true, scope: "worker" }],
  other: [
    async ({ writing }, use) => {
      const other = await startOtherProvider(0, writing);
      await use(other);
      await other.stop();
    },
    { scope: "worker" },
  ],
  server: [
    async ({ other }, use) => {
      const server = await startServer({ env: { PROVIDER_URL: other.url } });
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  signInAs: async ({ context, other }, use) => {
    other.answers.clear();
    await use(async () => {
      await context.request.post("/login", { form: otherSignIn, maxRedirects: 0 });
      other.requests.length = 0;
    });
  },
});

export { expect } from "./journey.ts";
