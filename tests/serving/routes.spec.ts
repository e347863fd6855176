import { expect, test } from "../support/serving.ts";
import { addressOf, builtRoutes } from "../support/routes.ts";

/** For anybody: guests' pages, verification pages, operators' probes, and what is no page. */
const publicPatterns = [
  "/login",
  "/login/sso",
  "/login/sso/return/:address?",
  "/login/at/:address",
  "/forgot",
  "/signup",
  "/congratulations",
  "/confirm-email",
  "/sign-in-link",
  "/v",
  "/v/credential",
  "/v/:code",
  "/v/:code/:digits",
  "/v/:code/file",
  "/v/:code/newer",
  "/v/*",
  "/received",
  "/received/open",
  "/received/:id",
  "/received/:id/wallet",
  "/received/:id/sealed.pdf",
  "/received/:id/proof.zip",
  "/received/:id/pages/:n",
  "/seals",
  "/check",
  "/check/worker",
  "/check/manifest",
  "/.well-known/jwks.json",
  "/.well-known/status-lists",
  "/.well-known/status-lists/:list",
  "/.well-known/revocation-lists/:list",
  "/.well-known/sealdesk-root.pem",
  "/.well-known/:metadata/wallet/:issuer",
  "/wallet/:issuer/.well-known/:metadata",
  "/wallet/:issuer/document",
  "/log",
  "/log/:log/checkpoint",
  "/log/:log/tile/*",
  "/v/:code/pages/:n",
  "/v/:code/proof",
  "/calendar/:secret",
  "/theme",
  "/healthz",
  "/readyz",
  "/metrics",
  "/confirmed-host",
  "/.well-known/security.txt",
  "/.well-known/change-password",
  "/api/*",
  "/scim/v2/*",
  "/*",
];

test("every page and file that is not listed as public leads to the sign-in without a session", async ({ server }) => {
  const patterns = builtRoutes().map(({ pattern }) => pattern);
  expect(patterns).toEqual(expect.arrayContaining(publicPatterns));
  const opened: string[] = [];
  for (const pattern of patterns.filter((pattern) => !publicPatterns.includes(pattern))) {
    const { status, headers } = await fetch(server.url + addressOf(pattern), { redirect: "manual" });
    if (status !== 302 || !headers.get("location")?.startsWith("/login")) opened.push(`${pattern}: ${status}`);
  }
  expect(opened).toEqual([]);
});

test("no address fails with a character that patterns or databases refuse, in any part of it", async ({ server }) => {
  const openapi = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as { paths: Record<string, object> };
  const calls = Object.keys(openapi.paths).map((path) => path.replace(/\{\w+\}/g, "1"));
  const failed: string[] = [];
  for (const address of [...publicPatterns.map(addressOf), ...calls]) {
    const parts = address.split("/");
    const addresses = ["%0a", "%E2%80%A8", "%00", "%ff"].flatMap((odd) =>
      parts.slice(1).map((_, n) => parts.with(n + 1, parts[n + 1] + odd).join("/")),
    );
    await Promise.all(
      addresses.map(async (odd) => {
        const { status } = await fetch(server.url + odd, { redirect: "manual" });
        if (status >= 500) failed.push(`${odd}: ${status}`);
      }),
    );
  }
  expect(failed).toEqual([]);
});
