import type { Page } from "@playwright/test";
import { browserCookie, signInClientPastNotice } from "../support/form-client.ts";
import { expect, test, uniqueName } from "../support/journey.ts";
import { oneIn } from "../support/shares.ts";
import { at, inspect, type State } from "../support/page-states.ts";
import { sampleData } from "../support/sample.ts";
import { startServer } from "../support/server.ts";
import { applyChanges, preview, savedAgain } from "../support/spreadsheet.ts";

/** Opens the preview of a new branch, a changed one, one as it is and one that is refused. */
async function previewed(page: Page) {
  const [changed, same, added] = ["Changed", "Same", "Added"].map(uniqueName) as [string, string, string];
  const headings = ["Name", "Country", "City", "Notes"];
  await page.goto("/branches/import");
  await preview(page, savedAgain([headings, ...[changed, same].map((name) => [name, "France", "Lille", ""])]));
  await applyChanges(page);
  await page.goto("/branches/import");
  const rows = [
    [changed, "France", "Lyon", "x"],
    [same, "France", "Lille", ""],
    [added, "France", "Paris", ""],
    [`${"Long".repeat(20)}`, "", "", ""],
  ];
  await preview(page, savedAgain([headings, ...rows], { name: `${"a-very-long-name-".repeat(8)}.csv` }));
  await expect(page.getByText("New: 1 · Changed: 1 · Unchanged: 1 · Refused: 1")).toBeVisible();
}

const states: State[] = [
  { name: "import of users", open: at("/users/import") },
  { name: "import of branches", open: at("/branches/import") },
  {
    name: "import, no file chosen",
    async open(page) {
      await page.goto("/users/import");
      await page.getByRole("button", { name: "Preview changes" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  {
    name: "import, a file without rows",
    async open(page) {
      await page.goto("/users/import");
      await preview(page, savedAgain([["ID", "Name"]]));
      await expect(page.getByText("There is nothing to apply.")).toBeVisible();
    },
  },
  { name: "import, preview", open: previewed },
  {
    name: "import, no row in a state",
    async open(page) {
      await previewed(page);
      await page.goto(`${page.url()}?state=Saved`);
      await expect(page.getByText("No row is in this state.")).toBeVisible();
    },
  },
  {
    name: "import, applying",
    async open(page) {
      await previewed(page);
      await page.getByRole("link", { name: "Apply changes" }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  {
    name: "import, applied",
    async open(page) {
      await previewed(page);
      await applyChanges(page);
    },
  },
];

for (const { name, open } of oneIn(4, states)) {
  test(`${name} has no violations`, async ({ page, signInAs }) => {
    await signInAs();
    await open(page);
    await inspect(page, name);
  });
}

test("an import that waits for the limit of invitations says until when, and has no violations", async ({
  page,
  context,
}) => {
  const server = await startServer({ from: sampleData });
  try {
    await context.addCookies([browserCookie(await signInClientPastNotice(server.url))]);
    const users = Array.from({ length: 60 }, (_, n) => [`Wanda ${n}`, `wanda-${n}@hallam.example`, "Accountant"]);
    await page.goto(`${server.url}/users/import`);
    await preview(page, savedAgain([["Name", "Email", "Access group"], ...users]));
    await page.getByRole("link", { name: "Apply changes" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Apply changes" }).click();
    await expect(page.getByText(/^Being applied: \d+ of 60 rows left\.$/)).toBeVisible();
    await expect(
      page.getByText(/Waiting: You have sent many invitations\. It goes on by itself after \d\d-\d\d-\d{4} \d\d:\d\d/),
    ).toBeVisible();
    await inspect(page, "import, waiting");
    // The page asks again while the import runs.
    await page.goto("about:blank");
  } finally {
    await server.stop();
  }
});
