import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { startReceiver } from "../fixtures/webhook-receiver.ts";
import { bulkClient } from "../support/bulk-issues.ts";
import { sampleData } from "../support/sample.ts";
import { startServer, until } from "../support/server.ts";
import { settings } from "../support/settings.ts";

const kills = settings.crashRounds;

/** Events and the audit entries that are written in the same transactions. */
const events = { "document.archived": "archived", "document.withdrawn": "exited" } as const;

type Client = Awaited<ReturnType<typeof bulkClient>>;

/** Changes a document again and again until the server is gone, and counts what was acknowledged. */
async function change({ post }: Client, id: number, progress: { changes: number }) {
  try {
    for (;;) {
      for (const act of ["exit", "archive", "restore", "reactivate"]) {
        await post(`/documents/${id}/${act}`);
        progress.changes++;
      }
    }
  } catch (error) {
    // The end of the server ends it, or that it had made the change before without an answer.
    if (!(error instanceof TypeError || /answered with 409/.test(String(error)))) throw error;
  }
}

test("each event that was committed arrives, under one id, whenever the server is killed", async () => {
  test.setTimeout((kills + 4) * 120_000);
  const data = mkdtempSync(join(tmpdir(), "sealdesk-webhooks-"));
  cpSync(sampleData, data, { recursive: true });
  const receiver = await startReceiver();
  const env = { WEBHOOK_ALLOWED_HOSTS: "127.0.0.1" };
  let server = await startServer({ on: data, env });
  let client = await bulkClient(server.url);
  const webhook = { name: "Kills", url: receiver.url, events: Object.keys(events) };
  const { id: webhookId } = await client.post("/webhooks", webhook);
  const since = (await countEntries(client)).total;
  const documents = ((await client.ask("/documents?status=active&page=1&per_page=5")) as { id: number }[]).slice(0, 3);
  const progress = { changes: 0 };
  for (let kill = 1; kill <= kills; kill++) {
    // In each second round the server is killed while it waits for answers.
    receiver.answer = (response) => void (kill % 2 === 0 || response.writeHead(204).end());
    const [changed, received] = [progress.changes + 1 + (kill % 4) * 3, receiver.received.length];
    const writers = documents.map(({ id }) => change(client, id, progress));
    await until(() => progress.changes >= changed && (kill % 3 > 0 || receiver.received.length > received), "changes");
    server.process.kill("SIGKILL");
    await Promise.all(writers);
    await server.stop().catch(() => {});
    server = await startServer({ on: data, env });
    client = await bulkClient(server.url);
    for (const { id } of documents) await client.post(`/documents/${id}/restore`).catch(() => {});
  }
  receiver.answer = (response) => void response.writeHead(204).end();
  await until(async () => (await client.ask(`/webhooks/${webhookId}`)).waiting === 0, "the last delivery");
  const { entries } = await countEntries(client, since);
  expect(idsByEvent(receiver.received)).toEqual(entries);
  expect(Object.values(entries).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(kills);
  await server.stop();
  await receiver.close();
  rmSync(data, { recursive: true, force: true });
});

/** How many ids each document's events came under; each must tell of one event alone. */
function idsByEvent(received: { headers: object; body: string }[]): Record<string, number> {
  const bodies = new Map<string, string>();
  for (const { headers, body } of received) {
    const id = (headers as Record<string, string>)["webhook-id"]!;
    expect(bodies.get(id) ?? body, "what came under one id").toBe(body);
    bodies.set(id, body);
  }
  const counts: Record<string, number> = {};
  for (const body of bodies.values()) {
    const { type, data } = JSON.parse(body) as { type: string; data: { document_id: number } };
    const key = `${type} ${data.document_id}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/** The audit entries of those events since the trail had `before` of them, counted likewise. */
async function countEntries({ ask }: Client, before = 0) {
  const all: { id: number; action: string; entity_id: number }[] = [];
  for (let page = 1; ; page++) {
    const rows = await ask(`/audit?trail=changes&entity=document&sort=at&page=${page}&per_page=100`);
    all.push(...rows);
    if (rows.length < 100) break;
  }
  const entries: Record<string, number> = {};
  for (const { action, entity_id } of all.slice(before)) {
    const event = Object.entries(events).find(([, audited]) => audited === action)?.[0];
    if (event) entries[`${event} ${entity_id}`] = (entries[`${event} ${entity_id}`] ?? 0) + 1;
  }
  return { entries, total: all.length };
}
