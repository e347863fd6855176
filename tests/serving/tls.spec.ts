import { test as base, expect } from "@playwright/test";
import { freePort } from "../support/postgres.ts";
import { sampleData, signIn } from "../support/sample.ts";
import { startServer } from "../support/server.ts";
import { startTlsProxy } from "../support/tls-proxy.ts";

/** Behind a proxy that ends TLS, with the public address that browsers use. */
const test = base.extend<object, { publicUrl: string }>({
  publicUrl: [
    async ({}, use) => {
      const port = await freePort();
      const publicUrl = `https://localhost:${port}`;
      const server = await startServer({ from: sampleData, env: { PUBLIC_URL: publicUrl, TRUSTED_PROXIES: "1" } });
      const proxy = await startTlsProxy(port, server.port);
      await use(publicUrl);
      proxy.closeAllConnections();
      proxy.close();
      await server.stop();
    },
    { scope: "worker" },
  ],
});

test.use({ ignoreHTTPSErrors: true });

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with scripts" : "without scripts", () => {
    test.use({ javaScriptEnabled });

    test("forms work behind TLS, and the session cookie is host-only and secure", async ({
      page,
      publicUrl,
      context,
    }) => {
      await page.goto(`${publicUrl}/login`);
      await page.getByLabel("Email").fill(signIn.email);
      await page.getByLabel("Password").fill(signIn.password);
      const posted = page.waitForResponse((response) => response.request().method() === "POST");
      await page.getByRole("button", { name: "Sign in" }).click();
      expect((await posted).status()).toBe(302);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard");
      const cookie = (await context.cookies()).find(({ name }) => name === "__Host-sealdesk");
      expect(cookie).toMatchObject({ secure: true, httpOnly: true, sameSite: "Lax" });
      await page.goto(`${publicUrl}/documents/new`);
      await page.getByLabel("Document type").selectOption("Contract");
      await page.getByLabel("Document subtype").selectOption("Lease");
      await page.getByRole("button", { name: "Next" }).click();
      await expect(page.locator("[aria-current=step]")).toContainText("Details");
      const answer = await page.request.get(`${publicUrl}/login`);
      expect(answer.headers()["strict-transport-security"]).toBe("max-age=31536000");
    });
  });
}

test("the theme cookie is host-only and secure", async ({ page, publicUrl, context }) => {
  await page.goto(`${publicUrl}/login`);
  const answer = await page.request.post(`${publicUrl}/theme`, {
    form: { theme: "dark" },
    headers: { origin: publicUrl },
    maxRedirects: 0,
  });
  expect(answer.status()).toBe(302);
  const cookie = (await context.cookies()).find(({ name }) => name === "__Host-theme");
  expect(cookie).toMatchObject({ secure: true, httpOnly: true, sameSite: "Lax", path: "/" });
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "sealdesk-dark");
});

test("cross-site requests are refused", async ({ request, publicUrl }) => {
  const form = { email: signIn.email, password: signIn.password };
  const post = (path: string, headers: Record<string, string>) =>
    request.post(publicUrl + path, { form, headers, maxRedirects: 0 });
  expect((await post("/login", { origin: publicUrl })).status()).toBe(302);
  expect((await post("/login", { origin: "https://evil.example" })).status()).toBe(403);
  expect((await post("/login", { origin: "null" })).status()).toBe(403);
  for (const path of ["/login", "/theme", "/logout"]) {
    expect((await post(path, { "sec-fetch-site": "cross-site" })).status(), path).toBe(403);
    expect((await post(path, { "sec-fetch-site": "same-site" })).status(), path).toBe(403);
  }
});

test("a proxy may keep an idle connection for two minutes", async ({ request, publicUrl }) => {
  expect((await request.get(`${publicUrl}/login`)).headers()["keep-alive"]).toBe("timeout=125");
});

test("QR codes carry the public address", async ({ request, publicUrl }) => {
  const { token } = (await (await request.post(`${publicUrl}/api/login`, { data: signIn })).json()) as {
    token: string;
  };
  const headers = { authorization: `Bearer ${token}` };
  const document = (await (await request.get(`${publicUrl}/api/documents/1`, { headers })).json()) as {
    verify_url: string;
  };
  expect(document.verify_url).toMatch(new RegExp(`^${publicUrl}/v/\\w{17}$`));
});
