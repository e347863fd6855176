import PostalMime from "postal-mime";
import { expect, test } from "../support/journey.ts";
import { type MailServer, startMailServer } from "../support/mail-server.ts";
import { sampleData } from "../support/sample.ts";
import { startServer, type TestServer, until } from "../support/server.ts";
import { inDatabase } from "../support/stored.ts";
import { issued } from "../support/visitor.ts";

/** Documents sent over SMTP, and what staff see of each mail. */

let mail: MailServer;
let server: TestServer;
let document: Awaited<ReturnType<typeof issued>>;

test.beforeEach(async () => {
  mail = await startMailServer();
  server = await startServer({ from: sampleData, env: { SMTP_URL: mail.url } });
  document = await issued(server.url);
  await document.client.post("/settings/recipients", { intent: "set-recipients", delivers: "1", delivery_days: "90" });
});
test.afterEach(async () => {
  await server.stop();
  await mail.stop();
});

const addressOf = (who: string) => `${who}@recipient.example`;

async function send(who: string, fields: Record<string, string> = {}) {
  const form = { intent: "send", name: `Rita ${who}`, email: addressOf(who), language: "en", ...fields };
  expect((await document.client.post(document.path, form)).status).toBe(302);
}

const takenFor = (who: string) => mail.taken.filter(({ to }) => to === addressOf(who));
const arrived = (who: string) => until(() => takenFor(who).length > 0, `the mail to ${who}`);
const refused = (who: string) => until(() => mail.refused.includes(addressOf(who)), `the refusal of ${who}`);

/** What staff see of a mail. */
async function shown(who: string) {
  const html = await (await document.client.get(document.path)).text();
  const row = html.split("<tr").find((part) => part.includes(addressOf(who)))!;
  return row.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
}
const shows = (who: string, words: string | RegExp) => expect.poll(() => shown(who)).toMatch(words);

/** Lets the time pass for which mails wait, and has the next one sent. */
async function letTimePass() {
  inDatabase(server, (database) => database.exec("update recipient_mails set next_at = created_at"));
  await send(`later${mail.taken.length}`);
}

const links = (who: string) => takenFor(who).map(({ text }) => /\/received\/open\?token=[\w-]+/.exec(text)![0]);

test("staff see of each recipient whether the mail server took, deferred or refused the mail, before or after its text", async () => {
  mail.answers = {
    [addressOf("deferred")]: 451,
    [addressOf("deferredlate")]: { content: 451 },
    [addressOf("refused")]: 550,
    [addressOf("refusedlate")]: { content: 554 },
  };
  await send("taken");
  await arrived("taken");
  await shows("taken", /Rita taken .*20\d\d/);
  for (const who of ["deferred", "deferredlate"]) {
    await send(who);
    await refused(who);
    await shows(who, /Deferred by the mail server, tried again for two days .*451 Not now/);
  }
  for (const [who, code] of [
    ["refused", 550],
    ["refusedlate", 554],
  ] as const) {
    await send(who);
    await refused(who);
    await shows(who, new RegExp(`Not delivered .*${code} Not now`));
  }
  mail.answers = {};
  await letTimePass();
  for (const who of ["deferred", "deferredlate"]) {
    await arrived(who);
    await expect.poll(() => shown(who)).not.toMatch(/Deferred|451/);
    const page = await fetch(server.url + links(who)[0]);
    expect(page.status).toBe(200);
  }
  expect([takenFor("refused"), takenFor("refusedlate")]).toEqual([[], []]);
  expect(mail.taken.filter(({ to }) => to.endsWith("@recipient.example"))).toHaveLength(4);
});

test("another program reads the sender, one recipient, and the same link in text and HTML, whatever names say", async () => {
  inDatabase(server, (database) =>
    database.prepare("update companies set name = ?").run('Hallam\r\nBcc: <eve@evil.example>, "Bank" <a@b.example>'),
  );
  await send("named", { name: "Rita\r\nBcc: eve@evil.example\r\n\r\n<b>Pay</b>" });
  await arrived("named");
  const [{ source }] = takenFor("named") as [MailServer["taken"][number]];
  const read = await PostalMime.parse(source);
  expect(read.to).toEqual([{ name: "", address: addressOf("named") }]);
  expect(read.from).toMatchObject({
    address: "sealdesk@localhost",
    name: expect.stringMatching(/^Hallam .*\(Sealdesk\)$/),
  });
  const names = read.headers.map(({ key }) => key);
  expect(names.filter((name) => ["from", "to", "subject"].includes(name)).toSorted()).toEqual([
    "from",
    "subject",
    "to",
  ]);
  expect(names.filter((name) => /^(bcc|cc|reply-to|sender)$/.test(name))).toEqual([]);
  expect(read.text).toContain(links("named")[0]);
  expect(read.html).toContain(links("named")[0]!.replace("&", "&amp;"));
  expect(read.html).not.toContain("<b>Pay");
  expect(mail.taken.map(({ to }) => to)).not.toContain("eve@evil.example");
});

test("addresses that would add recipients or headers are refused", async () => {
  for (const email of [
    "a@b.example\r\nBcc: eve@evil.example",
    "a@b.example, eve@evil.example",
    "a@b.example eve@evil.example",
    "Eve <eve@evil.example>",
    "eve@evil.example>\r\nRCPT TO:<a@b.example",
    "a@b.example;eve@evil.example",
    "@relay.example:eve@evil.example",
  ]) {
    const answer = await document.client.post(document.path, { intent: "send", name: "Eve", email, language: "en" });
    expect([email, answer.status]).toEqual([email, 422]);
  }
  expect(await (await document.client.get(document.path)).text()).not.toContain("evil.example");
});

test("a link or a session with what is no token opens nothing, and leads to the form for a code", async () => {
  const get = (path: string, init: RequestInit = {}) => fetch(server.url + path, { redirect: "manual", ...init });
  for (const token of ["", "%00", "%E2%82%AC", "%0D%0AX-Token:%201", "a%20b", "x".repeat(6000)]) {
    const link = `/received/open?token=${token}`;
    expect([token, (await get(link)).status]).toEqual([token, 401]);
    const headers = { origin: server.url };
    const opened = await get(link, { method: "POST", headers, body: new URLSearchParams() });
    expect([token, opened.status, opened.headers.get("set-cookie")]).toEqual([token, 302, null]);
    const value = Buffer.from(JSON.stringify(decodeURIComponent(token))).toString("base64");
    const cookie = `holder=${value}; holder-1=${value}`;
    expect([token, (await get("/received", { headers: { cookie } })).status]).toEqual([token, 200]);
    expect([token, (await get("/received/1", { headers: { cookie } })).status]).toEqual([token, 302]);
    const ended = new URLSearchParams({ intent: "end" });
    const left = await get("/received", { method: "POST", headers: { ...headers, cookie }, body: ended });
    expect([token, left.headers.get("location")]).toEqual([token, "/received"]);
  }
});
