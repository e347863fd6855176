import type { Language } from "#lib/messages/languages.ts";
import { plainText } from "#lib/messages/isolates.ts";
import { type Words, wordsOf } from "#lib/messages/words.ts";
import type { Message } from "../mail/mail.ts";
import { quoted } from "../mail/quoted.ts";

/** The mails to holders, in text and HTML. Companies' texts stand in quotes, so that they can't pass for ours. */

type Recipient = { name: string; email: string; language: Language };
type Sent = { company: string; document_type: string; document_subtype: string; number: string };
type Links = { link: string; until: string; mine: string };

type Part = string | { link: string; label: string } | { code: string };

/** `news` of a document that was withdrawn, or replaced by the one with that number. */
export type Occasion = { kind: "link" | "reminder" | "withdrawn" } | { kind: "replaced"; newer: string };

export function documentMessage(to: Recipient, sent: Sent, { link, until, mine }: Links, occasion: Occasion): Message {
  const words = wordsOf(to.language);
  const { t } = words;
  const company = quoted(sent.company);
  const isNews = occasion.kind === "withdrawn" || occasion.kind === "replaced";
  const subject =
    occasion.kind === "link"
      ? t("received.link.title", { company })
      : occasion.kind === "reminder"
        ? t("mail.document.reminder", { company })
        : t("mail.document.news", { company });
  const given =
    occasion.kind === "withdrawn"
      ? t("mail.document.withdrawn", { company })
      : occasion.kind === "replaced"
        ? t("mail.document.replaced", { company, number: quoted(occasion.newer) })
        : t("mail.document.given", { company });
  const type = quoted([sent.document_type, sent.document_subtype].filter(Boolean).join(", "));
  const facts = [
    t("mail.document.for", { name: quoted(to.name) }),
    t("mail.document.type", { type }),
    t("mail.document.number", { number: quoted(sent.number) }),
  ].join("\n");
  const open = t("mail.document.open", { date: words.date(until) });
  const button = { link, label: t("received.link.open") };
  const others = isNews
    ? []
    : [t("mail.document.mine", { email: to.email }), { link: mine, label: t("received.mine") }];
  const parts = [t("mail.hello"), given, facts, open, button, t("mail.document.secret"), ...others];
  const { name } = sender(sent.company);
  return { to: to.email, sender: name, subject: plainText(subject), ...bodyOf(words, parts) };
}

export function codeMessage(email: string, language: Language, code: string): Message {
  const words = wordsOf(language);
  const { t } = words;
  const parts = [t("mail.hello"), t("mail.code.enter", { email }), { code }, t("mail.code.ignore")];
  return { to: email, subject: plainText(t("mail.code.subject")), ...bodyOf(words, parts) };
}

/** The company's name before ours, which says whose mail server it is. */
const sender = (company: string) => ({ name: `${quoted(company).slice(1, -1)} (Sealdesk)` });

function bodyOf(words: Words, parts: Part[]): Pick<Message, "text" | "html"> {
  const text = parts.map((part) =>
    typeof part === "string" ? plainText(part) : "code" in part ? part.code : part.link,
  );
  const html = parts.map((part) => {
    if (typeof part === "string") return `<p>${escaped(plainText(part)).replaceAll("\n", "<br>")}</p>`;
    if ("code" in part) return `<p style="font-size:28px;letter-spacing:4px"><b>${part.code}</b></p>`;
    const { link, label } = part;
    return `<p><a href="${escaped(link)}">${escaped(plainText(label))}</a></p>`;
  });
  const style = "font:16px/1.5 sans-serif;max-width:34em";
  const page = `<!doctype html><html lang="${words.tag}" dir="${words.direction}"><meta charset="utf-8"><body style="${style}">`;
  return { text: `${text.join("\n\n")}\n`, html: `${page}${html.join("")}</body></html>` };
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
