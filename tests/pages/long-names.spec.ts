import { addPages, create, signInClient, startDraft } from "../support/form-client.ts";
import { expect, test } from "../support/journey.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { isSideways } from "../support/page-states.ts";

test("long names without spaces break, and nothing scrolls sideways or is cut off", async ({
  page,
  server,
  signInAs,
}) => {
  await signInAs();
  const client = await signInClient(server.url);
  const draft = await startDraft(client, `scan_2026_11_21_${"W".repeat(100)}.pdf`);
  await addPages(client, draft, [asUpload(await picture("page.png"))]);
  const document = await create(client, draft);
  const wide = "W".repeat(100);
  await client.post("/branches/new", { name: wide, country: wide, city: wide, address: wide.repeat(3) });
  await page.goto("/branches/list?name=WWWW");
  const branch = (await page.getByRole("link", { name: wide, exact: true }).getAttribute("href"))!;
  const branches = [
    "/branches/list?name=WWWW",
    "/branches/profile?tab=branches&sort=-name",
    branch,
    `${branch}?dialog=add-user`,
  ];
  const paths = [...branches, "/documents/list", document, `${document}?dialog=qr`, `${document}?dialog=archive`];
  for (const path of [
    ...paths,
    document.replace("/documents", "/documents/edit"),
    `${branch.replace("/view", "/edit")}?dialog=remove`,
    `${document}?tab=history`,
    "/audit",
    `/documents/list?name=${"x".repeat(190)}`,
  ]) {
    await page.goto(path);
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      expect.soft(await isSideways(page), `${path} scrolls sideways at ${width} px`).toBe(false);
      const cut = await page
        .locator("table")
        .evaluateAll((tables) =>
          tables.some(
            (table) => table.getBoundingClientRect().right > table.closest(".panel")!.getBoundingClientRect().right + 1,
          ),
        );
      expect.soft(cut, `${path} cuts its table at ${width} px`).toBe(false);
    }
  }
});
