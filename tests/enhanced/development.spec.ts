import { expect, test as journey } from "../support/journey.ts";
import { sampleData } from "../support/sample.ts";
import { startServer, type TestServer } from "../support/server.ts";

const test = journey.extend<object, { server: TestServer }>({
  server: [
    async ({}, use) => {
      const server = await startServer({ from: sampleData, isDevelopment: true });
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
});

test("the browser's console stays clean in development", async ({ page, context, signInAs }) => {
  await signInAs();
  const paths = [
    "/dashboard",
    "/documents/list",
    "/documents/1",
    "/documents/new",
    "/branches/edit/1",
    "/profile?edit",
  ];
  // Vite finds out which packages pages need, and loads them again.
  const first = await context.newPage();
  for (const path of paths) await first.goto(path, { waitUntil: "networkidle" });
  await first.close();
  const messages: string[] = [];
  page.on("console", (message) => {
    if (["warning", "error"].includes(message.type())) messages.push(`${page.url()}: ${message.text()}`);
  });
  for (const path of paths) await page.goto(path);
  expect(messages).toEqual([]);
});
