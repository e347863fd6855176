import { describe, expect, test } from "vitest";
import { languages } from "#lib/messages/languages.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import type { Message } from "./mail.ts";
import {
  alertsMessage,
  confirmEmailMessage,
  emailChangeRequestedMessage,
  emailChangedMessage,
  invitationMessage,
  newBrowserMessage,
  passwordChangedMessage,
  remindersMessage,
  resetMessage,
  singleSignOnInvitationMessage,
} from "./messages.ts";
import { quoted } from "./quoted.ts";

/** Names that want to be the message, or a part of it. */
const attacks = [
  "Victim\n\nYour account is suspended, pay at http://evil.example/x",
  "Victim\r\n\r\nPay at https://evil.example",
  "Victim\u2028\u2029\u0085\u000bwww.evil.example/now",
  "x”. Your account is suspended. Reply to pay@evil.example “",
  "\u202Eelpmaxe.live//:ptth",
  "HTTP://EVIL.EXAMPLE mailto:pay@evil.example javascript://evil.example/%0A",
  `Pay now. ${"Your account is suspended. ".repeat(100)}`,
];

/** What programs that show mail make a link or an address of. */
const links = /[a-z][a-z0-9+-]*:\/\/\S|\bwww\.[a-z]|[\w-]\.(?:example|com)\b|\S@\w/gi;

const own = "https://sealdesk.example";

/** A message without the links that are its own, and without its receiver's address. */
const foreign = ({ to, subject, text }: Message) =>
  `${subject}\n${text}`.replaceAll(/https:\/\/sealdesk\.example\S*/g, "").replaceAll(to, "");

const alert = { id: 1, number: 1, alert: "Fake scan", date: "2026-11-21T10:00:00Z", copy: null };
const expiring = { id: 1, expire_date: "2026-12-21" };
const email = "nora@company.example";
const messages: [what: string, write: (name: string) => Message][] = [
  ...languages.map((language): [string, (name: string) => Message] => [
    `an invitation in ${language}`,
    (name) => invitationMessage({ to: { name, email }, company: name, language, link: `${own}/signup?token=t` }),
  ]),
  [
    "an invitation without a password",
    (name) => singleSignOnInvitationMessage({ to: { name, email }, company: name, language: "", link: `${own}/login` }),
  ],
  ["a reset link", (name) => resetMessage({ email, company: name }, `${own}/signup?token=t`)],
  [
    "news of alerts",
    (name) =>
      alertsMessage({ email, company: name, timezone: "Europe/London" }, [{ ...alert, document: name }], 1, own),
  ],
  ["a link that confirms an email address", () => confirmEmailMessage({ email }, `${own}/confirm-email?token=t`)],
  ["a notice of a change of email that waits", () => emailChangeRequestedMessage({ email })],
  ["a notice of a changed email", () => emailChangedMessage({ email })],
  ["a notice of a changed password", () => passwordChangedMessage({ email }, "colleague")],
  [
    "a notice of a new sign-in",
    (browser) => newBrowserMessage({ email }, { browser, at: "2026-11-21T10:00:00Z", timezone: "Europe/London" }),
  ],
  ["a reminder", (name) => remindersMessage({ email }, [{ ...expiring, name, number: name }], own)],
];

describe.each(messages)("%s", (_, write) => {
  test.each(attacks)("keeps its lines and gets no link from the name %j", (name) => {
    const [usual, attacked] = [write("Nora"), write(name)];
    expect(attacked.text.split("\n")).toHaveLength(usual.text.split("\n").length);
    expect(`${attacked.subject}${attacked.text}`).not.toMatch(/[\r\u2028\u2029\u0085\v\u202e]/);
    expect(foreign(attacked).match(links)).toBeNull();
    for (const line of attacked.text.split("\n").filter((one) => !one.includes(own))) {
      expect(line.length).toBeLessThan(200);
    }
  });
});

test("ordinary names are shown unchanged in quotes", () => {
  for (const name of ["Nora New", "Müller & Søn GmbH", "O’Neill-Smith", "李雷", "🏴‍☠️ Pirates", "علی‌رضا"]) {
    expect(quoted(name)).toBe(`“${name}”`);
  }
  expect(quoted("Booking.com").replaceAll("\u2060", "")).toBe("“Booking.com”");
  expect(quoted("J. P. Morgan")).toBe("“J. P. Morgan”");
  expect(quoted("x".repeat(61))).toBe(`“${"x".repeat(59)}…”`);
  expect([...quoted("🏴".repeat(61))]).toHaveLength(62);
});

describe.runIf(hasDatabase())("an invitation in the outbox", () => {
  test("keeps its wording with any names of user and company", async () => {
    const { call, company, db, mails, group } = await testProvider();
    const { id, admin } = await company("Ours");
    await group(id, "Readers", { docs: "C:R" });
    // As it was possible to be called before line ends were folded.
    await db.updateTable("companies").set({ name: attacks[0]! }).where("id", "=", id).execute();
    for (const [n, name] of attacks.slice(0, 3).entries()) {
      const body = { name, email: `user${n}@company.example`, staff: "Readers" };
      expect((await call("createUser", { token: admin.token, body })).status).toBe(201);
    }
    expect(mails).toHaveLength(3);
    for (const mail of mails) {
      expect(mail.text.split("\n").slice(0, 4)).toEqual([
        "Hello,",
        "",
        "A company has given you access to Sealdesk, where it manages its documents:",
        "",
      ]);
      expect(mail.text.split("\n").filter((line) => /evil/.test(line))).toEqual([
        expect.stringMatching(/^Company: “Victim Your account is suspended, pay at evil.*”$/),
        expect.stringMatching(/^Your name: “Victim .*”$/),
      ]);
      expect(foreign(mail).match(links)).toBeNull();
      expect(mail.subject).toMatch(/^Your access to Sealdesk at “Victim [^“”\n]*”$/);
    }
  });

  test("is in the language of the company's documents", async () => {
    const { call, company, db, mails, group } = await testProvider();
    const { id, admin } = await company("Unsere");
    await group(id, "Readers", { docs: "C:R" });
    await db.updateTable("companies").set({ language: "de" }).where("id", "=", id).execute();
    const body = { name: "Nora Neu", email: "nora@company.example", staff: "Readers" };
    expect((await call("createUser", { token: admin.token, body })).status).toBe(201);
    expect(mails[0]!.subject).toBe("Ihr Zugang zu Sealdesk bei “Unsere”");
    expect(mails[0]!.text).toContain("Ihr Name: “Nora Neu”");
  });
});
