import { expect, test } from "../support/journey.ts";
import { holdBack, untilFilled } from "../support/leaving.ts";
import { inDatabase } from "../support/stored.ts";
import { issued } from "../support/visitor.ts";

/** Pages that show work which goes on. */

const longEnough = 10_000;

// With SQLite, whose rows a test can change.
test.use({ serverEnv: {} });

test("a page of work that goes on is kept fresh, and restarts no page that is being opened", async ({
  page,
  server,
  signInAs,
}) => {
  const { number } = await issued(server.url);
  await page.clock.install();
  await signInAs();
  await page.goto(`/documents/list?number=${number}`);
  await page.getByRole("checkbox", { name: /^Select / }).check();
  await page.getByRole("button", { name: "Archive" }).click();
  await expect(page.getByRole("heading", { name: "Archive 1 document?" })).toBeVisible();
  await page.getByRole("button", { name: "Archive" }).click();
  await expect(page.getByRole("heading", { name: "Archived: 1 document" })).toBeVisible();
  const setState = (state: string) =>
    inDatabase(server, (database) =>
      database
        .prepare("update bulk_action_rows set state = ? where id = (select max(id) from bulk_action_rows)")
        .run(state),
    );
  // Its action has ended, so that no job goes on with it.
  setState("waiting");
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("0 documents of 1 finished");
  const own = page.waitForResponse(/\/bulk-actions\/\d+\.data/);
  await page.clock.runFor(longEnough);
  await own;

  const { release, requests } = await holdBack(page, /\/documents\/list\.data.*_routes=routes%2Fdocuments/);
  await page.getByRole("link", { name: "Back to the list of documents" }).click();
  await expect.poll(() => requests).toHaveLength(1);
  await page.clock.runFor(longEnough);
  await untilFilled(page);
  expect(requests).toHaveLength(1);
  release();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Documents");
});
