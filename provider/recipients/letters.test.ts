import { createTransport } from "nodemailer";
import PostalMime from "postal-mime";
import { expect, test } from "vitest";
import { plainText } from "#lib/messages/isolates.ts";
import { languages } from "#lib/messages/languages.ts";
import { wordsOf } from "#lib/messages/words.ts";
import type { Message } from "../mail/mail.ts";
import { codeMessage, documentMessage, type Occasion } from "./letters.ts";

/** Mails to holders in each language, as another library reads them. */

const hostile = 'Rita\r\nBcc: eve@evil.example \u202E<b>"Reader"</b>';
const sent = { company: "Hallam & Reid", document_type: "Lease", document_subtype: "Office", number: "NM-1" };
const links = {
  link: "https://sealdesk.example/received/open?token=abc&lang=en",
  until: "2026-12-24",
  mine: "https://sealdesk.example/received?lang=en",
};
const occasions: Occasion[] = [
  { kind: "link" },
  { kind: "reminder" },
  { kind: "withdrawn" },
  { kind: "replaced", newer: "NM-2" },
];

async function readMail({ sender, ...message }: Message) {
  const transport = createTransport({ streamTransport: true, buffer: true });
  const from = { name: sender ?? "Sealdesk", address: "sealdesk@localhost" };
  const mail = await PostalMime.parse((await transport.sendMail({ ...message, from })).message as Buffer);
  return { subject: mail.subject!, text: mail.text!, html: mail.html!, to: mail.to, headers: mail.headers };
}

const entities = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&amp;": "&" };

/** What an HTML part says, with the address of each link in place of its label. */
const said = (html: string) =>
  html
    .replace(/<a href="([^"]*)">[^<]*<\/a>/g, "$1")
    .replace(/<\/p>|<br>/g, "\n")
    .replace(/<[^>]*>/g, "")
    .replace(/&\w+;/g, (entity) => entities[entity as keyof typeof entities]);

const onLines = (text: string) => text.split(/\n+/).filter(Boolean);

for (const language of languages) {
  const words = wordsOf(language);
  const to = { name: hostile, email: "rita@recipient.example", language };

  test(`text and HTML of each mail say the same, with all facts and no hole, in ${language}`, async () => {
    const mails = [
      ...occasions.map((occasion) => documentMessage(to, sent, links, occasion)),
      codeMessage(to.email, language, "012345"),
    ];
    const subjects = new Set<string>();
    for (const [n, message] of mails.entries()) {
      const mail = await readMail(message);
      subjects.add(mail.subject);
      expect(onLines(said(mail.html))).toEqual(onLines(mail.text));
      expect(mail.html).toContain(`<html lang="${words.tag}" dir="${language === "ar" ? "rtl" : "ltr"}">`);
      expect(mail.subject + mail.text).not.toMatch(/[{}]|undefined|null|NaN|\[object/);
      expect(mail.to).toEqual([{ name: "", address: to.email }]);
      expect(mail.headers.filter(({ key }) => /^(bcc|cc|reply-to)$/.test(key))).toEqual([]);
      expect(mail.html).not.toContain("<b>&quot;");
      const isNews = n === 2 || n === 3;
      const facts = ["Rita Bcc: ", "“Lease, Office”", "“NM-1”", plainText(words.date(links.until)), links.link];
      if (n < 4) for (const fact of facts) expect(mail.text).toContain(fact);
      if (n === 3) expect(mail.text).toContain("“NM-2”");
      if (n < 4) expect(mail.text.includes(links.mine)).toBe(!isNews);
      if (n === 4) expect(mail.text).toContain("\n012345\n");
      if (!isNews) expect(mail.text).toContain(to.email);
    }
    // Withdrawn and replaced are told alike.
    expect(subjects.size).toBe(4);
  });
}
