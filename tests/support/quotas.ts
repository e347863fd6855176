import { type FormClient, signInClient } from "./form-client.ts";
import { test as journey } from "./journey.ts";
import { metricsToken } from "./metrics.ts";
import { signIn } from "./sample.ts";
import type { TestServer } from "./server.ts";
import { inDatabase } from "./stored.ts";

/** For a server of its own: 25 drafts and 5 MB of page files a user, 20 MB of documents a company. */
export const limits = {
  DRAFTS_PER_USER: "25",
  DRAFT_MB_PER_USER: "5",
  STORAGE_GB_PER_COMPANY: "0.02",
  METRICS_TOKEN: metricsToken,
  LOG_LEVEL: "silent",
};

/** With a client who has no drafts yet. */
export const test = journey.extend<{ client: FormClient }>({
  client: async ({ server }, use) => {
    inDatabase(server, (database) => database.exec("delete from draft_files; delete from drafts"));
    await use(await signInClient(server.url));
  },
});

export const colleague = { email: "aoife@hallam.example", password: signIn.password };

export const isReady = async ({ url }: TestServer) => (await fetch(`${url}/readyz`)).ok;

export const megabyte = 1_000_000;

export { expect } from "./journey.ts";
