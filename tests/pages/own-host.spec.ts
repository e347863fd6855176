import { expect } from "../support/journey.ts";
import { host, publishRecord, test } from "../support/own-host.ts";
import { inspect } from "../support/page-states.ts";
import { issued } from "../support/visitor.ts";

test("no page about or at a company’s own host has violations", async ({ page, signInAs, server, dns }) => {
  test.setTimeout(300_000);
  await signInAs();
  await page.goto("/settings/hosts");
  await page.getByLabel("Host", { exact: true }).fill(host);
  await page.getByRole("button", { name: "Request this host" }).click();
  const check = page.getByRole("button", { name: "Check now" });
  await check.click();
  await expect(page.getByText("DNS has no such record")).toBeVisible();
  await inspect(page, "settings, own host that DNS lacks");
  await publishRecord(page, dns);
  await check.click();
  await expect(page.getByText("New codes lead here")).toBeVisible();
  await inspect(page, "settings, own host confirmed");
  const { code } = await issued(server.url);
  for (const path of ["/v", `/v/${code}`, "/v/00000000000000000", "/v/credential", "/received"]) {
    await page.goto(`http://${host}:${server.port}${path}`);
    await expect(page.getByText(`You are on ${host}, which DNS confirms`)).toBeVisible();
    await inspect(page, `own host, ${path}`);
  }
});
