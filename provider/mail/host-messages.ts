import { dateIn, dayMonthYear } from "../calendar/calendar.ts";
import { recordName, recordValue } from "../hosts/look-up.ts";
import type { Message } from "./mail.ts";

type Recipient = { email: string; timezone: string };

export const hostMissingMessage = (
  to: Recipient,
  { host, token, end }: { host: string; token: string; end: string },
  publicUrl: string,
): Message => ({
  to: to.email,
  subject: `The DNS record of ${host} is missing`,
  text: `Hello,

Documents of your company can be checked at ${host}, because a DNS record proves that it is yours. Sealdesk
can no longer read that record:

${recordName(host)}  TXT  ${recordValue(token)}

Put it back by ${dayMonthYear(dateIn(to.timezone, end))}. Otherwise ${host} will show nothing any more, and QR codes on paper that
name it will lead nowhere. New codes already name the usual address instead.

${publicUrl}/settings/hosts
`,
});

export const hostLostMessage = (to: Recipient, { host }: { host: string }, publicUrl: string): Message => ({
  to: to.email,
  subject: `${host} no longer shows your documents`,
  text: `Hello,

The DNS record that proved that ${host} is your company's was missing for too long: nothing is shown there any
more. QR codes on paper that name it lead nowhere; the codes beside them can be typed at

${publicUrl}/v

Nobody else can get ${host} here. Open the link to request it again:

${publicUrl}/settings/hosts
`,
});
