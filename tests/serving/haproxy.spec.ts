import { startReceiver } from "../fixtures/webhook-receiver.ts";
import { hasHaproxy } from "../support/haproxy.ts";
import { expect, test } from "../support/serving.ts";
import { addPages, create, startDraft } from "../support/form-client.ts";
import { asUpload, picture } from "../support/page-files.ts";

/** Two processes behind HAProxy, which ends TLS. Journeys of the projects "HAProxy" go through it as well. */

test.skip(!hasHaproxy(), "there is no HAProxy here");
test.use({ storage: "haproxy", ignoreHTTPSErrors: true, serverEnv: { WEBHOOK_ALLOWED_HOSTS: "127.0.0.1" } });

test("a session's requests go to both processes", async ({ client }) => {
  const answers = [1, 2, 3, 4].map(() => client.get("/help"));
  const servers = (await Promise.all(answers)).map(({ status, headers }) => [status, headers.get("x-served-by")]);
  expect(servers).toEqual(
    expect.arrayContaining([
      [200, "web1"],
      [200, "web2"],
    ]),
  );
});

test("a webhook of a document that was issued through the proxy names the public address", async ({
  client,
  server,
}) => {
  const receiver = await startReceiver();
  const webhook = new URLSearchParams({ name: "Ledger", url: receiver.url, events: "document.issued" });
  expect((await client.post("/webhooks/new", webhook)).status).toBe(302);
  const delivered = receiver.next();
  const draft = await startDraft(client, "Issued on either process");
  await addPages(client, draft, [asUpload(await picture("page.png"))]);
  await create(client, draft);
  await delivered;
  const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
  expect(headers["user-agent"]).toBe(`Sealdesk (${server.url})`);
  expect(JSON.parse(body)).toMatchObject({ type: "document.issued" });
  await receiver.close();
});
