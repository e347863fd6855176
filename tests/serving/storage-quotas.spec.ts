import { colleague, expect, isReady, limits, megabyte, test } from "../support/quotas.ts";
import { metricsOf } from "../support/metrics.ts";
import { textOf } from "../support/page-text.ts";
import { addPages, create, signInClient, startDraft } from "../support/form-client.ts";
import { asUpload, paddedPicture, picture } from "../support/page-files.ts";

test.use({ serverEnv: limits });

const padded = async (name: string, bytes: number) => asUpload(await paddedPicture(name, bytes));

test("a company at its quota can't issue, sees whom to ask, and sees its storage under Tariffs", async ({
  server,
  client,
}) => {
  test.setTimeout(120_000);
  const draft = await startDraft(client, "One too many");
  await addPages(client, draft, [await padded("a.png", 4.5 * megabyte)]);
  const pageText = textOf(await (await client.get("/tariffs")).text());
  expect(pageText).toMatch(
    /Your company’s documents [\d.]+ MB of 20 MB.*Your drafts 1 of 25.*Page files of your drafts 4\.8 MB of 5 MB/,
  );
  expect(await (await client.get("/tariffs")).text()).toMatch(
    /<progress[^>]*max="20000000"[^>]*aria-label="Storage used"/,
  );
  const refused = await client.post(`${draft}/review`, {});
  expect(refused.status).toBe(409);
  expect(textOf(await refused.text())).toMatch(
    /Your company may store 20 MB, and .* Nothing was issued\. Ask an administrator to get more storage/,
  );
  expect((await metricsOf(server)).get('sealdesk_quota_refused_total{quota="company"}')).toBeGreaterThan(0);
  expect((await metricsOf(server)).get('sealdesk_stored_bytes{of="documents"}')).toBeGreaterThan(0);
  expect((await metricsOf(server)).get('sealdesk_stored_bytes{of="drafts"}')).toBeGreaterThan(3 * megabyte);
  expect(await isReady(server)).toBe(true);
  // The draft is there still.
  expect((await client.get(`${draft}/review`)).status).toBe(200);
});

test("a document is issued within the quotas", async ({ server }) => {
  const client = await signInClient(server.url, colleague);
  const draft = await startDraft(client, "Small enough");
  await addPages(client, draft, [asUpload(await picture("page.png"))]);
  expect(await create(client, draft)).toMatch(/^\/documents\/\d+$/);
});
