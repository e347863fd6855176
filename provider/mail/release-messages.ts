import type { ReleaseAct, ReleaseState } from "../contract/releases.ts";
import type { Message } from "./mail.ts";
import { quoted, quotedLines } from "./quoted.ts";

/** Mails about what awaits release. */

type Listed = { id: number; name: string; number: string; act: ReleaseAct };
/** `count` are all, of which the first ones are listed. */
type List<One> = { listed: One[]; count: number };
type Recipient = { email: string };

const acts: Record<ReleaseAct, string> = {
  issue: "to be issued",
  change: "to be changed",
  prolong: "to be prolonged",
  exit: "to be withdrawn",
  reactivate: "to be in force again",
  "withdraw copy": "a copy to be withdrawn",
  "restore copy": "a copy to be in force again",
};

const lineOf = ({ name, number, act }: Listed) => `${quoted(name)}, number ${quoted(number)}, ${acts[act]}`;

const more = (shown: number, count: number, address: string) =>
  count > shown ? `\n\n${count - shown} more: ${address}` : "";

export const releasesWaitingMessage = (
  to: Recipient,
  { listed, count }: List<Listed & { drafter: string }>,
  publicUrl: string,
): Message => ({
  to: to.email,
  subject: count === 1 ? `${quoted(listed[0]!.name)} awaits your release` : `${count} documents await your release`,
  text: `Hello,

New since the last email, waiting for you or another user who may release:

${listed.map((one) => `${lineOf(one)}\nDrafted by ${quoted(one.drafter)}\n${publicUrl}/documents/releases/${one.id}`).join("\n\n")}${more(listed.length, count, `${publicUrl}/documents/releases`)}

You receive this at most every 15 minutes, because your access group lets you release documents.
`,
});

type Decided = Listed & {
  state: ReleaseState;
  reason: string;
  releasers: (string | undefined)[];
  document_id: number | null;
};

/** To their drafter. */
export const releaseDecisionsMessage = (
  to: Recipient,
  { listed, count }: List<Decided>,
  publicUrl: string,
): Message => ({
  to: to.email,
  subject:
    count === 1 ? `${quoted(listed[0]!.name)} was ${listed[0]!.state}` : `${count} of your documents were decided on`,
  text: `Hello,

What you drafted was released or returned:

${listed.map((one) => decisionOf(one, publicUrl)).join("\n\n")}${more(listed.length, count, `${publicUrl}/documents/releases?tab=own`)}
`,
});

function decisionOf(one: Decided, publicUrl: string) {
  if (one.state === "returned") {
    return `Returned: ${lineOf(one)}\n${quotedLines(one.reason)}\n${publicUrl}/documents/releases/${one.id}`;
  }
  const by = one.releasers.map((name) => quoted(name!)).join(" and ");
  return `Released by ${by}: ${lineOf(one)}\n${publicUrl}/documents/${one.document_id}`;
}
