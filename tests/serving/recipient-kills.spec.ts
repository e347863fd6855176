import { expect, test } from "@playwright/test";
import { bulkClient, startBulkIssue } from "../support/bulk-issues.ts";
import { killedStorages } from "../support/killed-storage.ts";
import { startMailServer } from "../support/mail-server.ts";
import { childrenOf, until } from "../support/server.ts";
import { settings } from "../support/settings.ts";

/** Kills a server and what it has started, so that none of them learns what the mail server answers. */
function killAll(pid: number) {
  for (const child of childrenOf(pid)) process.kill(child, "SIGKILL");
  process.kill(pid, "SIGKILL");
}

const kills = settings.crashRounds;
/** 10,000 in the thorough run. */
const rows = kills * 100;

test("a bulk issue sends each recipient one mail, whenever the server is killed", async () => {
  test.setTimeout((kills + 4) * 120_000);
  const mail = await startMailServer();
  const { start, values, end } = (await killedStorages.SQLite({ SMTP_URL: mail.url }))!;
  let server = await start();
  let client = await bulkClient(server.url);
  const recipientSettings = { delivers: "1", delivery_days: "90" };
  await client.put("/company/recipients", recipientSettings);
  const path = await startBulkIssue(client, rows, {
    columns: ["Recipient", "Recipient email"],
    cells: (n) => [`Rita ${n}`, `rita${n}@recipient.example`],
  });
  const toRecipients = () => mail.taken.filter(({ to }) => to.endsWith("@recipient.example"));
  for (let kill = 1; kill <= kills; kill++) {
    const enough = Math.max(toRecipients().length + 1, Math.floor((rows * kill) / (kills + 1)));
    await new Promise<void>((resolve) => {
      mail.onTaken = () => {
        if (toRecipients().length < enough) return;
        killAll(server.process.pid!);
        delete mail.onTaken;
        resolve();
      };
    });
    await server.stop().catch(() => {});
    server = await start();
    client = await bulkClient(server.url);
  }
  await until(async () => (await client.ask(path)).state === "done", "the last row");
  await until(async () => (await values("select id from recipient_mails")).length === 0, "the last mail");
  await server.stop();
  await mail.stop();
  const all = Array.from({ length: rows }, (_, n) => `rita${n + 1}@recipient.example`).toSorted();
  expect((await values("select email from recipients where sent_at is not null")).toSorted()).toEqual(all);
  const addresses = toRecipients().map(({ to }) => to);
  const unanswered = await values("select email from recipients where bounce <> '' and bounced_at is null");
  console.log(`${kills} kills, ${addresses.length} mails to ${rows} recipients, ${unanswered.length} unanswered`);
  expect(new Set(addresses).size).toBe(addresses.length);
  // What is shown as sent for certain has arrived.
  expect(all.filter((address) => !addresses.includes(address) && !unanswered.includes(address))).toEqual([]);
  end();
});
