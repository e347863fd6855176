import { addPages, startClerk, startDraft } from "../support/clerk.ts";
import { expect, test } from "../support/journey.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { startS3 } from "../support/s3.ts";
import { sampleData } from "../support/sample.ts";
import { startServer } from "../support/server.ts";

test("a thumbnail is not found once its page file is removed, at whichever moment that happens", async () => {
  const s3 = await startS3();
  const server = await startServer({ from: sampleData, env: s3.env });
  const clerk = await startClerk(server.url);
  const draft = await startDraft(clerk, "With a page that goes");
  for (const [before, moment] of ["it is looked up", "its size is read", "its content is read"].entries()) {
    await addPages(clerk, draft, [asUpload(await picture("page.png"))]);
    const [key] = /drafts\/[\w-]+\/[\w-]+\/\d+/.exec(await (await clerk.get(`${draft}/pages`)).text())!;
    let requestsLeft = before;
    s3.beforeRequest = async ({ url }) => {
      if (!url!.includes(".drawn/1.small") || requestsLeft-- > 0) return;
      s3.beforeRequest = () => {};
      const form = new FormData();
      form.set("go", `remove ${key}`);
      expect((await clerk.post(`${draft}/pages`, form)).status).toBe(302);
    };
    expect((await clerk.get(`/files/${key}`)).status, `removed before ${moment}`).toBe(404);
    expect(requestsLeft, "requests of S3 that the removal waited for").toBeLessThan(0);
  }
  expect(server.errors()).toBe("");
  await server.stop();
  await s3.stop();
});
