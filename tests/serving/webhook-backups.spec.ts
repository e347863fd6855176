import { writeFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";
import { startReceiver } from "../fixtures/webhook-receiver.ts";
import { expect, test } from "../support/backups.ts";
import { bulkClient } from "../support/bulk-issues.ts";
import { runCommand, type Stores } from "../support/command.ts";
import { startServer, until } from "../support/server.ts";

/** Keys of webhooks are left out of backups, or are in them under a passphrase, as those of seals are. */

const serveAllowed = (stores: Stores) =>
  startServer({ on: stores.DATA_DIR, env: { ...stores, WEBHOOK_ALLOWED_HOSTS: "127.0.0.1" } });

test("a restored webhook is off without its keys, and signs as before with them", async ({
  emptyOf,
  sampleStores,
  freshFile,
}) => {
  const receiver = await startReceiver();
  const stores = await sampleStores();
  const server = await serveAllowed(stores);
  const client = await bulkClient(server.url);
  const body = { name: "Ledger", url: receiver.url, events: ["document.issued"] };
  const { id, secret } = await client.post("/webhooks", body);
  await client.post(`/webhooks/${id}/test`);
  await until(() => receiver.received.length === 1, "the delivery");
  await server.stop();
  const [without, withKeys, passphrase] = [freshFile(), freshFile(), freshFile(".txt")];
  writeFileSync(passphrase, "nine brass buttons\n");
  expect((await runCommand(stores, "backup", without)).exitCode).toBe(0);
  expect((await runCommand(stores, "backup", withKeys, "--with-keys", passphrase)).exitCode).toBe(0);

  const emptyStores = await emptyOf("SQLite");
  const restored = await runCommand(emptyStores, "restore", without);
  expect([restored.exitCode, restored.stderr]).toEqual([
    0,
    expect.stringContaining("The keys of webhooks were not restored, so that these are off"),
  ]);
  const bare = await serveAllowed(emptyStores);
  const there = await bulkClient(bare.url);
  expect(await there.ask(`/webhooks/${id}`)).toMatchObject({
    enabled: false,
    disabled_because: "restored",
    public_key: "",
  });
  expect(await there.ask(`/webhooks/${id}/deliveries`)).toEqual([]);
  await there.post(`/webhooks/${id}/rotate`, {});
  expect((await there.ask(`/webhooks/${id}`)).public_key).toMatch(/^whpk_/);
  await bare.stop();

  const full = await emptyOf("SQLite");
  expect((await runCommand(full, "restore", withKeys, "--with-keys", passphrase)).exitCode).toBe(0);
  const again = await serveAllowed(full);
  const now = await bulkClient(again.url);
  await now.post(`/webhooks/${id}/test`);
  await until(() => receiver.received.length === 2, "the delivery after the restore");
  const { headers, body: delivery } = receiver.received[1]!;
  expect(() => new Webhook(secret).verify(delivery, headers as Record<string, string>)).not.toThrow();
  await again.stop();
  await receiver.close();
});
