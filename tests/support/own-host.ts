import type { Page } from "@playwright/test";
import { startNameServer } from "../fixtures/dns-server.ts";
import { test as base } from "./journey.ts";
import { fact } from "./page-parts.ts";
import { startSample } from "./sample-server.ts";

type NameServer = Awaited<ReturnType<typeof startNameServer>>;

/** A server beside a name server that the test fills. */
export const test = base.extend<{}, { dns: NameServer }>({
  dns: [
    async ({}, use) => {
      const dns = await startNameServer();
      await use(dns);
      dns.close();
    },
    { scope: "worker" },
  ],
  server: [
    async ({ dns, storage }, use) => {
      const server = await startSample(storage, { DNS_SERVERS: dns.address });
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
});

// Browsers find it on this machine without a name server.
export const host = "check.northern.localhost";

/** Publishes the record that the page of hosts shows. */
export async function publishRecord(page: Page, dns: NameServer) {
  dns.set(await fact(page, "Name of the TXT record").innerText(), await fact(page, "Its value").innerText());
}
