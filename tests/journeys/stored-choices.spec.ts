import type { Database } from "better-sqlite3";
import { signInClient, startDraft } from "../support/form-client.ts";
import { expect, test, uniqueName } from "../support/journey.ts";
import { notice } from "../support/page-parts.ts";
import { inDatabase } from "../support/stored.ts";
import { issued } from "../support/visitor.ts";

/** No form takes the first option of a list for a stored value that is no longer on offer. */

test.beforeEach(({ signInAs }) => signInAs());

const rights = { "docs-scope": "company", "docs-read": "1", intent: "save" };

test("an access group that was removed stays chosen for its former user and in a draft", async ({ page, server }) => {
  const client = await signInClient(server.url);
  const [group, name] = [uniqueName("Gone"), uniqueName("Gus Gone")];
  const idOn = async (path: string, pattern: RegExp) => pattern.exec(await (await client.get(path)).text())![1];
  await client.post("/users/group", { name: group, ...rights });
  const email = `${name.replace(/\W+/g, "-").toLowerCase()}@hallam.example`;
  await client.post("/users/new", { name, email, staff: group, intent: "save" });
  const user = await idOn(`/users/list?name=${encodeURIComponent(name)}`, /\/users\/view\/(\d+)/);
  const draft = await startDraft(client, uniqueName("Draft"), { users_access_group: group });
  await client.post(`/users/edit/${user}`, { intent: "remove" });
  await page.goto("/users/roles");
  await page.getByRole("link", { name: `Edit ${group}` }).click();
  await page.getByRole("button", { name: "Remove access group" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove access group" }).click();
  await expect(notice(page, `Access group “${group}” was removed`)).toBeVisible();

  for (const [address, label] of [
    [`/users/edit/${user}`, "Access group"],
    [`${draft}/fields`, "Company users access group"],
  ] as const) {
    await page.goto(address);
    const checkedOption = page.getByLabel(label, { exact: true }).locator("option:checked");
    await expect(checkedOption, address).toHaveText(`${group} (not on the list)`);
  }
});

test("stored values that no list has stay chosen in every form that has a list", async ({ page, server, storage }) => {
  test.skip(storage !== "sqlite-disk", "writes into the database beside the server");
  const client = await signInClient(server.url);
  const { path } = await issued(server.url);
  const draft = await startDraft(client, uniqueName("Draft"));
  const group = uniqueName("Odd");
  await client.post("/users/group", { name: group, ...rights });
  const setDraft = (database: Database, values: string) =>
    database
      .prepare(`update drafts set "values" = json_set("values", ${values}) where id = ?`)
      .run(draft.split("/").at(-1));
  const groupId = inDatabase(server, (database) => {
    const odd =
      "document_type = 'Charter', document_subtype = 'Royal', access_type = 'Nobody', expire_type = 'someday'";
    database
      .prepare(`update documents set ${odd}, qr_placing = 'middle:first:small' where id = ?`)
      .run(path.split("/").at(-1));
    setDraft(database, "'$.access_type', 'Nobody', '$.expire_type', 'someday'");
    database.prepare("update access_groups set roles = 'B:R' where name = ?").run(group);
    return (database.prepare("select id from access_groups where name = ?").get(group) as { id: number }).id;
  });
  const unknown = (address: string, expected: Record<string, string>) =>
    test.step(address, async () => {
      await page.goto(address);
      for (const [label, value] of Object.entries(expected)) {
        const checkedOption = page.getByLabel(label, { exact: true }).locator("option:checked");
        await expect(checkedOption, label).toHaveText(`${value} (not on the list)`);
      }
    });
  const ofDocument = { "Document access type": "Nobody", "Expire type": "someday" };
  await unknown(path.replace("/documents/", "/documents/edit/"), {
    ...ofDocument,
    "Document type": "Charter",
    "Document subtype": "Royal",
    "QR placing": "middle:first:small",
  });
  await unknown(`${draft}/fields`, ofDocument);
  inDatabase(server, (database) => setDraft(database, "'$.document_type', 'Charter'"));
  await unknown(draft, { "Document type": "Charter" });
  await unknown(`/users/group?id=${groupId}`, { "Scope for Roles": "branch" });
  await unknown("/documents/list?branch=Atlantis&status=Lost", { Branch: "Atlantis", Status: "Lost" });
  await unknown("/branches/profile?edit", {}).then(() => expect(page.getByLabel("Time zone")).not.toHaveValue(""));
});
