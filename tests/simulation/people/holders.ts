import type { Habit, Visitor } from "./visitor.ts";

/** Documents are sent to holders, who open them by links of any age, and by codes. */

const anyHolder = ({ choices, company }: Visitor) => `holder-${choices.happens(0.8) ? 1 : 2}@${company.key}.mail`;

/** Sends a document, and reminds somebody of one or ends their links. */
export const sendOut: Habit = async (visitor) => {
  const { choices, pick } = visitor;
  const document = pick(await visitor.rows("listDocuments", { status: "active" }));
  if (!document) return;
  const params = { id: document.id };
  const email = anyHolder(visitor);
  const send = () => visitor.call("sendDocument", { params, body: { name: "Hedy Holder", email } });
  await Promise.allSettled([send(), ...(choices.happens(0.2) ? [send()] : [])]);
  const { status, json } = await visitor.call("listRecipients", { params });
  const recipient = status === 200 && pick(json as any[]);
  const act = pick(["endRecipient", "remindRecipient"] as const)!;
  if (recipient && choices.happens(0.5)) await visitor.call(act, { params: { ...params, n: recipient.id } });
};

/** The administrator turns it on, and erases a holder later. */
export const serveHolders: Habit = async (visitor) => {
  const { me } = visitor;
  const body = { delivers: "1", delivery_days: 30, delivery_pages: "", delivery_news: "1", recipient_days: "" };
  if (me.memory.delivers) await visitor.call("eraseRecipient", { body: { email: anyHolder(visitor) } });
  else me.memory.delivers = (await visitor.call("updateRecipientSettings", { body })).status === 200;
};

/** Opens a link of any mail, goes on in an earlier session, or asks for a code, and enters it on the next visit. */
export const receive: Habit = async (visitor) => {
  const { company, choices, pick } = visitor;
  const email = anyHolder(visitor);
  visitor.me.person = { name: email, email };
  const memory = (company.holders[email] ??= { sessions: [] });
  const as = (token: string) => ({ name: email, token });
  const opening = pick(visitor.mailed(email, /received\/open\?token=([\w-]+)/));
  const code = visitor.mailed(email, /\b(\d{6})\b/).at(-1);
  const replies = [
    ...(opening ? [await visitor.as(as(opening), "openReceivedLink")] : []),
    ...(memory.request && code ? [await visitor.as(as(memory.request), "openReceived", { body: { code } })] : []),
  ];
  for (const { status, json } of replies) if (status === 200) memory.sessions.push(json);
  memory.request = (await visitor.anonymously("requestReceivedCode", { body: { email } })).json?.token;
  for (const { token, id } of memory.sessions.slice(-3)) {
    const { status, json } = id ? { status: 0 } : await visitor.as(as(token), "listReceived");
    const own = id || (status === 200 && pick(json.documents as any[])?.id);
    const tried = choices.happens(0.2) ? 1 + choices.below(20) : own;
    if (tried) await visitor.as(as(token), "getReceived", { params: { id: tried } });
  }
};
