import { addPages, signInClient, startDraft } from "../support/form-client.ts";
import { expect, test } from "../support/journey.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { startS3 } from "../support/s3.ts";
import { sampleData } from "../support/sample.ts";
import { faultsOf, startServer } from "../support/server.ts";

test("a thumbnail is not found once its page file is removed, at whichever moment that happens", async () => {
  const s3 = await startS3();
  const server = await startServer({ from: sampleData, env: s3.env });
  const client = await signInClient(server.url);
  const draft = await startDraft(client, "With a page that goes");
  for (const [before, moment] of ["it is looked up", "its size is read", "its content is read"].entries()) {
    await addPages(client, draft, [asUpload(await picture("page.png"))]);
    const [key] = /drafts\/[\w-]+\/[\w-]+\/\d+/.exec(await (await client.get(`${draft}/pages`)).text())!;
    let requestsLeft = before;
    s3.beforeRequest = async ({ url }) => {
      if (!url!.includes(".drawn/1.small") || requestsLeft-- > 0) return;
      s3.beforeRequest = () => {};
      const form = new FormData();
      form.set("intent", `remove ${key}`);
      expect((await client.post(`${draft}/pages`, form)).status).toBe(302);
    };
    expect((await client.get(`/files/${key}`)).status, `removed before ${moment}`).toBe(404);
    expect(requestsLeft, "requests of S3 that the removal waited for").toBeLessThan(0);
  }
  expect(faultsOf(server)).toEqual([]);
  await server.stop();
  await s3.stop();
});
