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
