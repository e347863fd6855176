import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { signInClient } from "../support/form-client.ts";
import { expect, test } from "../support/journey.ts";
import { type MailServer, startMailServer } from "../support/mail-server.ts";
import { freePort } from "../support/postgres.ts";
import { sampleData } from "../support/sample.ts";
import { startServer, type TestServer, until } from "../support/server.ts";

/** Mail over SMTP: by the built server in a process of its own, to a mail server on the loopback address. */

test.describe.configure({ mode: "parallel" });

let data: string;
let mail: MailServer;
let server: TestServer;

test.beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), "sealdesk-mail-"));
  cpSync(sampleData, data, { recursive: true });
});
test.afterEach(async () => {
  await server.stop();
  await mail.stop();
  rmSync(data, { recursive: true });
});

const start = async (url = mail.url) => (server = await startServer({ on: data, env: { SMTP_URL: url } }));

/** Ends the process and starts another, to which all is due that waits. */
async function restart(how: "SIGTERM" | "SIGKILL") {
  server.process.kill(how);
  await until(() => server.process.exitCode !== null || server.process.signalCode !== null, "the process to end");
  await start();
}

const email = "una@hallam.example";

/** Adds a user, for whom the form says that they are invited. */
async function invite(to = email) {
  const client = await signInClient(server.url);
  const form = { name: "Una Uninvited", email: to, staff: "Accountant" };
  const answer = await client.post("/users/new", form);
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "/users/list"]);
}

/** The messages with a link that the mail server took. The server also writes of alerts, each minute, and of sign-ins. */
const linkMails = () => mail.taken.filter(({ text }) => text.includes("token="));

const arrived = (count = 1) => until(() => linkMails().length === count, `${count} messages`);

/** Lets the time pass for which messages wait, while no process runs. */
function letTimePass() {
  const database = new Sqlite(join(data, "sealdesk.db"));
  database.exec("update outbox set next_at = created_at");
  database.close();
}

test("an invitation is delivered, and its link works", async () => {
  mail = await startMailServer();
  await start();
  await invite();
  await arrived();
  const [{ to, text }] = linkMails() as [MailServer["taken"][number]];
  expect(to).toBe(email);
  const link = /http\S+\/signup\?token=\S+/.exec(text)![0];
  const page = await fetch(link.replace(/^http:\/\/[^/]+/, server.url));
  expect(await page.text()).toContain(email);
  await restart("SIGTERM");
  await invite("second@hallam.example");
  await arrived(2);
  expect(server.output()).not.toContain("token=");
});

test("a temporary refusal by the mail server is retried", async () => {
  mail = await startMailServer();
  mail.answer = 451;
  await start();
  await invite();
  await until(() => mail.refused.includes(email), "the mail server to refuse");
  await until(() => server.output().includes("message not sent, retrying"), "that to be noted");
  mail.answer = "take";
  await server.stop();
  letTimePass();
  await start();
  await arrived();
  expect(linkMails().map(({ to }) => to)).toEqual([email]);
  expect(server.output()).not.toContain("token=");
});

test("after a kill right after the reply, the invitation is sent once", async () => {
  mail = await startMailServer();
  // The mail server is slow: when the process dies it has the message, but has not taken it.
  mail.answer = "hang";
  await start();
  await invite();
  await until(() => mail.isHanging, "the message to be on its way");
  server.process.kill("SIGKILL");
  mail.answer = "take";
  await restart("SIGKILL");
  await arrived();
  await restart("SIGTERM");
  await invite("second@hallam.example");
  await arrived(2);
  expect(linkMails().map(({ to }) => to)).toEqual([email, "second@hallam.example"]);
});

test("after a kill while forms are answered, each acknowledged invitation is sent once", async () => {
  mail = await startMailServer();
  // Nobody listens there, so that nothing can be sent before the kill.
  await start(`smtp://127.0.0.1:${await freePort()}`);
  const client = await signInClient(server.url);
  const acknowledged: string[] = [];
  const invitations = Array.from({ length: 30 }, async (_, n) => {
    const to = `una${n}@hallam.example`;
    const answer = await client.post("/users/new", { name: `Una ${n}`, email: to, staff: "Accountant" });
    if (answer.status === 302) acknowledged.push(to);
  });
  await until(() => acknowledged.length >= 5, "some to be acknowledged");
  server.process.kill("SIGKILL");
  await Promise.allSettled(invitations);
  letTimePass();
  await restart("SIGKILL");
  await until(() => acknowledged.every((to) => linkMails().some((message) => message.to === to)), "the invitations");
  expect(new Set(linkMails().map(({ to }) => to)).size).toBe(linkMails().length);
  expect(new Set(linkMails().map(({ id }) => id)).size).toBe(linkMails().length);
});

test("messages wait for an unreachable mail server", async () => {
  const port = await freePort();
  await start(`smtp://127.0.0.1:${port}`);
  await invite();
  const client = await signInClient(server.url);
  await client.anonymous.post("/forgot", { email: "daniel@hallam.example" });
  await until(() => server.output().includes("ECONNREFUSED"), "the first try");
  await server.stop();
  mail = await startMailServer(port);
  letTimePass();
  await start();
  await arrived(2);
  expect(
    linkMails()
      .map(({ to }) => to)
      .toSorted(),
  ).toEqual(["daniel@hallam.example", email]);
});
