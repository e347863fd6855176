import { alertNumber } from "../db/alerts.ts";
import { timeOfDay, today } from "../db/company.ts";
import { dayMonthYear } from "../time.ts";
import type { Message } from "./mail.ts";

/** What Sealdesk writes to people. */

export const invitationMessage = (to: { name: string; email: string }, company: string, link: string): Message => ({
  to: to.email,
  subject: `Your access to Sealdesk at ${company}`,
  text: `Hello ${to.name},

${company} has given you access to Sealdesk, where it keeps its documents.
Open this link within seven days to set your password:

${link}

You then sign in with ${to.email}.
`,
});

export const resetMessage = (to: { name: string; email: string }, link: string): Message => ({
  to: to.email,
  subject: "Set a new Sealdesk password",
  text: `Hello ${to.name},

somebody, probably you, asked for a new password for Sealdesk.
Open this link within an hour to set it:

${link}

If it was not you, ignore this message: your password stays as it is.
`,
});

type AlertTold = { id: number; number: number; alert: string; document: string; date: string };
type Reader = { name: string; email: string; company: string; timezone: string };

/** What strangers typed is left out: a message of ours must not carry words of theirs. */
export const alertsMessage = (to: Reader, alerts: AlertTold[], count: number, publicUrl: string): Message => ({
  to: to.email,
  subject: count === 1 ? `A new alert at ${to.company}` : `${count} new alerts at ${to.company}`,
  text: `Hello ${to.name},

since you were last told, scans or reports have raised:

${alerts.map((alert) => lineOf(alert, to.timezone, publicUrl)).join("\n\n")}
${count > alerts.length ? `\n${count - alerts.length} more: ${publicUrl}/alerts\n` : ""}
You are told because your access group lets you deal with alerts, once an hour at most.
`,
});

const lineOf = ({ id, number, alert, document, date }: AlertTold, timeZone: string, publicUrl: string) =>
  `${alertNumber(number)}  ${alert}: ${document}, ${instantIn(timeZone, date)}\n${publicUrl}/alerts/${id}`;

/** `21-11-2026 10:02` */
const instantIn = (timeZone: string, instant: string) =>
  `${dayMonthYear(today(timeZone, new Date(instant)))} ${timeOfDay(timeZone, instant)}`;

type Expiring = { id: number; name: string; number: string; expire_date: string };

export const remindersMessage = (
  to: { name: string; email: string },
  documents: Expiring[],
  publicUrl: string,
): Message => ({
  to: to.email,
  subject: reminderSubject(documents),
  text: `Hello ${to.name},

${documents.length === 1 ? "a document of yours expires" : "documents of yours expire"} unless prolonged:

${documents.map((document) => expiryLine(document, publicUrl)).join("\n\n")}

Open the link to prolong it by its first period. If it may expire, there is nothing to do.
`,
});

const reminderSubject = ([first, ...others]: Expiring[]) =>
  others.length > 0
    ? `${others.length + 1} documents expire, the first on ${dayMonthYear(first!.expire_date)}`
    : `${first!.name} expires on ${dayMonthYear(first!.expire_date)}`;

const expiryLine = ({ id, name, number, expire_date }: Expiring, publicUrl: string) =>
  `${dayMonthYear(expire_date)}  ${name}, ${number}\n${publicUrl}/documents/${id}?dialog=prolong`;
