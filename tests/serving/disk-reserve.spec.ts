import { pagesForm, signInOverHttp, startDraft } from "../support/form-client.ts";
import { metricsOf, metricsToken } from "../support/metrics.ts";
import { asUpload, paddedPicture } from "../support/page-files.ts";
import { textOf } from "../support/page-text.ts";
import { isReady } from "../support/quotas.ts";
import { signIn } from "../support/sample.ts";
import { expect, test } from "../support/serving.ts";
import { storedFiles } from "../support/stored.ts";

// More than any disk has.
test.use({ serverEnv: { DISK_RESERVE_MB: "100000000", METRICS_TOKEN: metricsToken, LOG_LEVEL: "silent" } });

const padded = async (name: string, bytes: number) => asUpload(await paddedPicture(name, bytes));

test("below the disk reserve uploads are refused, everything else works, and the server stays ready", async ({
  server,
  client,
}) => {
  const draft = await startDraft(client, "No room for pages");
  const before = storedFiles(server);
  const refused = await client.post(`${draft}/pages`, pagesForm(await padded("a.png", 100)));
  expect(textOf(await refused.text())).toContain("There is no disk space left to save this. Nothing was changed.");
  const { token } = await signInOverHttp(server.url);
  const form = new FormData();
  for (const [name, value] of Object.entries({ name: "Helen Marsh", email: signIn.email })) form.set(name, value);
  form.set("image", await padded("a.png", 100));
  const headers = { authorization: `Bearer ${token}` };
  const profile = await fetch(`${server.url}/api/profile`, { method: "PUT", body: form, headers });
  expect([profile.status, profile.headers.get("retry-after")]).toEqual([503, "60"]);
  expect(storedFiles(server)).toEqual(before);
  for (const page of ["/dashboard", "/documents/list", "/documents/1", `${draft}/fields`]) {
    expect((await client.get(page)).status, page).toBe(200);
  }
  expect(await isReady(server)).toBe(true);
  expect((await metricsOf(server)).get('sealdesk_disk_bytes{kind="reserve"}')).toBe(100_000_000 * 1024 * 1024);
  expect((await metricsOf(server)).get('sealdesk_disk_bytes{kind="free"}')).toBeGreaterThan(0);
});
