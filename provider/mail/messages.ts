import type { Language } from "#lib/messages/languages.ts";
import { plainText } from "#lib/messages/isolates.ts";
import { type Words, wordsOf } from "#lib/messages/words.ts";
import { alertNumber } from "../alerts/alert-queries.ts";
import { dateIn, dayMonthYear, timeIn } from "../calendar/calendar.ts";
import type { Message } from "./mail.ts";
import { quoted, quotedLines } from "./quoted.ts";

/** The mails that Sealdesk sends. Users' texts stand in quotes (`quoted`), so that they can't pass for ours. */

type Recipient = { email: string };

/** The recipient of an invitation, their company, and the company's language. */
type Invitation = { to: Recipient & { name: string }; company: string; language: Language | ""; link: string };

/** Leads to a page where the user sets a password. */
export const invitationMessage = (invitation: Invitation): Message =>
  invitationOf(invitation, ({ t }, { email }) => [t("mail.invitation.open"), t("mail.invitation.then", { email })]);

export const singleSignOnInvitationMessage = (invitation: Invitation): Message =>
  invitationOf(invitation, ({ t }, { email }) => [
    t("mail.invitation.noPassword", { email }),
    t("mail.invitation.ignore"),
  ]);

/** `around` are the paragraphs before and after the link. */
function invitationOf(
  { to, company, language, link }: Invitation,
  around: (words: Words, to: Recipient) => [string, string],
): Message {
  const words = wordsOf(language || "en");
  const { t } = words;
  const quotedCompany = { company: quoted(company) };
  const facts = [t("mail.invitation.company", quotedCompany), t("mail.invitation.name", { name: quoted(to.name) })];
  const [before, after] = around(words, to);
  const parts = [t("mail.hello"), t("mail.invitation.given"), facts.join("\n"), before, link, after];
  return {
    to: to.email,
    subject: plainText(t("mail.invitation.subject", quotedCompany)),
    text: `${parts.map(plainText).join("\n\n")}\n`,
  };
}

/** In place of a link to set a password. */
export const passwordsOffMessage = (to: Recipient, link: string): Message => ({
  to: to.email,
  subject: "How to sign in to Sealdesk",
  text: `Hello,

A new password was requested for ${to.email} at Sealdesk.
Passwords are switched off there: sign in with your account at your company:

${link}

If you did not request it, ignore this message.
`,
});

export const identityConnectedMessage = (to: Recipient, identityProvider: string): Message => ({
  to: to.email,
  subject: "Single sign-on was connected to your Sealdesk account",
  text: `Hello,

Somebody signed in to Sealdesk for the first time with an account at ${identityProvider} that has your email
address, ${to.email}. From now on that account signs in to yours.

If that was not you, tell an administrator of your company now: they can remove your user, which ends its sessions.
`,
});

export const accessEndedMessage = (to: Recipient): Message => ({
  to: to.email,
  subject: "Earlier access to your Sealdesk account has ended",
  text: `Hello,

Until now nobody had shown that ${to.email} belongs to the user of this Sealdesk account. Now somebody has, with a link
that was sent here or with single sign-on. What others could have made before has ended: an earlier password, passkeys,
authenticator app, recovery codes, API keys, the calendar’s address and sessions. Make anew what you need, under My profile.

If that was not you, tell an administrator of your company now.
`,
});

export const resetMessage = (to: Recipient & { company: string }, link: string): Message => ({
  to: to.email,
  subject: "Set a new Sealdesk password",
  text: `Hello,

A new password was requested for ${to.email} at Sealdesk, for its user of the company ${quoted(to.company)}.
Open this link within an hour to set it:

${link}

If you did not request it, ignore this message: your password stays as it is.
`,
});

export const confirmEmailMessage = (to: Recipient, link: string): Message => ({
  to: to.email,
  subject: "Confirm your new email address for Sealdesk",
  text: `Hello,

${to.email} was entered as the new email address of a Sealdesk account.

Open this link within 24 hours to confirm it:

${link}

If you have no Sealdesk account, ignore this message: nothing changes then.
`,
});

/** To the old address, without the new one, which only the account's own pages show. */
export const emailChangeRequestedMessage = (to: Recipient): Message => ({
  to: to.email,
  subject: "A new email address was entered for your Sealdesk account",
  text: `Hello,

A new email address was entered for the Sealdesk account of ${to.email}. Until it is confirmed, sign in as before.

If neither you nor your administrator entered it, sign in to Sealdesk, cancel the change under My profile, and change your password.
`,
});

export const emailChangedMessage = (to: Recipient): Message => ({
  to: to.email,
  subject: "Your Sealdesk email address was changed",
  text: `Hello,

The Sealdesk account of ${to.email} has a new email address. You can no longer sign in with this one.

If neither you nor your administrator changed it, tell your administrator at once.
`,
});

const waysToChangePassword = {
  self: "under My profile",
  colleague: "by a colleague who may change users",
  reset: "with a link that was sent to this address",
};

export const passwordChangedMessage = (to: Recipient, way: keyof typeof waysToChangePassword): Message => ({
  to: to.email,
  subject: "Your Sealdesk password was changed",
  text: `Hello,

The password of the Sealdesk account of ${to.email} was changed ${waysToChangePassword[way]}.

If you did not expect this, choose “Forgot password?” on the sign-in page. A new password ends all sessions.
`,
});

/** Events of a user's second factor. */
export type FactorChange = "set up" | "replaced" | "removed" | "cleared" | "recovery codes made";

const factorChanges: Record<FactorChange, { subject: string; text: string }> = {
  "set up": {
    subject: "A second factor was set up for your Sealdesk account",
    text: "now asks for a one-time code of an authenticator app when you sign in.",
  },
  replaced: {
    subject: "The second factor of your Sealdesk account was replaced",
    text: "has another authenticator app now. One-time codes of the former one, and earlier recovery codes, no longer work.",
  },
  removed: {
    subject: "The second factor of your Sealdesk account was removed",
    text: "no longer asks for a one-time code when you sign in. It was removed under My profile.",
  },
  cleared: {
    subject: "The second factor of your Sealdesk account was removed",
    text: "no longer asks for a one-time code when you sign in. A colleague who may change users removed it, and your sessions have ended.",
  },
  "recovery codes made": {
    subject: "New recovery codes were made for your Sealdesk account",
    text: "has new recovery codes. Earlier ones no longer work.",
  },
};

const notYou =
  "If you did not expect this, tell your administrator at once, and choose “Forgot password?” on the sign-in page.";

export const secondFactorMessage = (to: Recipient, change: FactorChange): Message => ({
  to: to.email,
  subject: factorChanges[change].subject,
  text: `Hello,

The Sealdesk account of ${to.email} ${factorChanges[change].text}

${notYou}
`,
});

export type PasskeyChange = "added" | "removed";

export const passkeyMessage = (to: Recipient, change: PasskeyChange): Message => ({
  to: to.email,
  subject: `A passkey was ${change} ${change === "added" ? "to" : "from"} your Sealdesk account`,
  text: `Hello,

A passkey was ${change} ${change === "added" ? "to" : "from"} the Sealdesk account of ${to.email}.${
    change === "added" ? " It signs in without a password." : ""
  }

${notYou}
`,
});

export const recoveryCodeUsedMessage = (to: Recipient, codesLeft: number): Message => ({
  to: to.email,
  subject: "A recovery code of your Sealdesk account was used",
  text: `Hello,

A recovery code was used in place of a one-time code for the Sealdesk account of ${to.email}. Recovery codes left: ${codesLeft}.

${codesLeft > 0 ? "Make new ones under My profile before they run out." : "Make new ones under My profile now."} ${notYou}
`,
});

type SignedIn = { browser: string | undefined; at: string; timezone: string };

export const newBrowserMessage = (to: Recipient, { browser, at, timezone }: SignedIn): Message => ({
  to: to.email,
  subject: "A new sign-in to your Sealdesk account",
  text: `Hello,

There was a sign-in to the Sealdesk account of ${to.email} from a new browser or program:

${browser === undefined ? "A program" : quoted(browser)}, ${localTime(timezone, at)}

If this was not you, choose “Forgot password?” on the sign-in page. A new password ends all sessions.
`,
});

type ListedAlert = { id: number; number: number; alert: string; document: string; copy: number | null; date: string };
type AlertRecipient = Recipient & { company: string; timezone: string };

/** Without visitors' texts, which must not go out in our mails. */
export const alertsMessage = (
  to: AlertRecipient,
  alerts: ListedAlert[],
  count: number,
  publicUrl: string,
): Message => ({
  to: to.email,
  subject: `${count === 1 ? "A new alert" : `${count} new alerts`} at ${quoted(to.company)}`,
  text: `Hello,

New alerts since the last email:

${alerts.map((alert) => alertLine(alert, to.timezone, publicUrl)).join("\n\n")}
${count > alerts.length ? `\n${count - alerts.length} more: ${publicUrl}/alerts\n` : ""}
You receive this at most once an hour, because your access group lets you complete alerts.
`,
});

const alertLine = ({ id, number, alert, document, copy, date }: ListedAlert, timeZone: string, publicUrl: string) =>
  `${alertNumber(number)}  ${alert}: ${quoted(document)}${copy === null ? "" : `, copy ${copy}`}, ${localTime(timeZone, date)}\n${publicUrl}/alerts/${id}`;

type Colleague = Recipient & { timezone: string };

export const assignedMessage = (to: Colleague, by: string, alert: ListedAlert, publicUrl: string): Message => ({
  to: to.email,
  subject: `${alertNumber(alert.number)} was assigned to you`,
  text: `Hello,

${quoted(by)} assigned an alert to you:

${alertLine(alert, to.timezone, publicUrl)}

Open the link to work on it, or to give it back.
`,
});

type Comment = { by: string; text: string };

export const mentionedMessage = (
  to: Colleague,
  { by, text }: Comment,
  alert: ListedAlert,
  publicUrl: string,
): Message => ({
  to: to.email,
  subject: `You were mentioned in a comment on ${alertNumber(alert.number)}`,
  text: `Hello,

${quoted(by)} mentioned you in a comment on this alert:

${alertLine(alert, to.timezone, publicUrl)}

The comment:

${quotedLines(text)}
`,
});

const disablingReasons = {
  gone: "Its receiver answered that it wants no more deliveries (status 410).",
  failing: "Nothing could be delivered to it for three days.",
  restored: "Its keys were not restored from a backup.",
};

type DisabledWebhook = { id: number; name: string; because: keyof typeof disablingReasons };

export const webhookDisabledMessage = (
  to: Recipient,
  { id, name, because }: DisabledWebhook,
  publicUrl: string,
): Message => ({
  to: to.email,
  subject: `The webhook ${quoted(name)} was switched off`,
  text: `Hello,

Sealdesk no longer delivers events to the webhook ${quoted(name)} of your company.

${disablingReasons[because]}

Open the link to see its deliveries, and to switch it on again:

${publicUrl}/webhooks/${id}
`,
});

/** `21-11-2026 10:02` */
const localTime = (timeZone: string, instant: string) =>
  `${dayMonthYear(dateIn(timeZone, instant))} ${timeIn(timeZone, instant)}`;

type Expiring = { id: number; name: string; number: string; expire_date: string };

export const remindersMessage = (to: Recipient, documents: Expiring[], publicUrl: string): Message => ({
  to: to.email,
  subject: reminderSubject(documents),
  text: `Hello,

${documents.length === 1 ? "A document of yours expires" : "Documents of yours expire"} unless prolonged:

${documents.map((document) => expiryLine(document, publicUrl)).join("\n\n")}

Open the link to prolong it by its first period. If it may expire, do nothing.
`,
});

const reminderSubject = ([first, ...others]: Expiring[]) =>
  others.length > 0
    ? `${others.length + 1} documents expire, the first on ${dayMonthYear(first!.expire_date)}`
    : `${quoted(first!.name)} expires on ${dayMonthYear(first!.expire_date)}`;

const expiryLine = ({ id, name, number, expire_date }: Expiring, publicUrl: string) =>
  `${dayMonthYear(expire_date)}  ${quoted(name)}, number ${quoted(number)}\n${publicUrl}/documents/${id}?dialog=prolong`;
