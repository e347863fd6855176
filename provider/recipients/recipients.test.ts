import { describe, expect, test } from "vitest";
import { daysInMs, hoursInMs, minutesInMs } from "#lib/units.ts";
import { requestOf } from "#tests/fixtures/call.ts";
import { addDocuments, several } from "#tests/fixtures/documents.ts";
import { hasDatabase, type TestProvider, testProvider } from "#tests/fixtures/provider.ts";
import { DeliveryError, type Mail, type OutgoingMessage } from "../mail/mail.ts";
import { tokenHash } from "../sessions/tokens.ts";
import { recipientJob, type Services } from "../services.ts";

const suite = describe.runIf(hasDatabase());

const rita = { name: "Rita Reader", email: "rita@recipient.example", language: "de" } as const;

/** A company that sends documents, with one in force, and its administrator's calls. */
async function fixture(
  settings: object = {},
  change: Partial<Services> = {},
  options?: Parameters<typeof testProvider>[1],
) {
  const provider = await testProvider(change, options);
  const { call, company, clock, db } = provider;
  const { id: companyId, admin } = await company("Hallam");
  const { token } = admin;
  const set = (body: object) => call("updateRecipientSettings", { token, body: { delivery_days: "90", ...body } });
  await set({ delivers: "1", ...settings });
  const { json: document } = await provider.issue(token);
  const of = { token, params: { id: document.id as number } };
  const send = (body: object = rita) => call("sendDocument", { ...of, body });
  const recipients = async () => (await call("listRecipients", of)).json;
  const rows = () => db.selectFrom("recipients").selectAll().orderBy("id", "desc").execute();
  const advance = (ms: number) => void (clock.now = new Date(clock.now.getTime() + ms));
  const stored = async () => JSON.stringify([await db.selectFrom("holder_tokens").selectAll().execute()]);
  return { ...provider, companyId, token, document, of, set, send, recipients, advance, stored, rows };
}

const linkIn = ({ text }: { text: string }) => /\/received\/open\?token=([\w-]+)/.exec(text)![1]!;
const codeIn = ({ text }: { text: string }) => /^\d{6}$/m.exec(text)![0];

/** Opens a link's document as its holder does. */
async function visit({ call }: Pick<TestProvider, "call">, link: string) {
  const { status, json } = await call("openReceivedLink", { token: link });
  return { status, token: json.token as string, params: { id: json.id as number } };
}

/** Signs a holder in by the code of a mail. */
async function signIn({ call, mails }: Pick<TestProvider, "call" | "mails">, email: string = rita.email) {
  const { json: request } = await call("requestReceivedCode", { body: { email } });
  const code = codeIn(mails.findLast(({ to }) => to === email)!);
  return call("openReceived", { token: request.token, body: { code } });
}

suite("POST /documents/{id}/recipients", () => {
  test("sends a link in the recipient’s language, from the company’s name, in text and HTML", async () => {
    const { send, mails, document, recipients } = await fixture();
    const { status, json } = await send();
    expect([status, json]).toMatchObject([201, { name: rita.name, email: rita.email, opened_at: "", bounced_at: "" }]);
    const [{ to, sender, subject, text, html }] = mails as [OutgoingMessage];
    expect([to, sender, subject]).toEqual([
      rita.email,
      "Hallam (Sealdesk)",
      "“Hallam” hat Ihnen ein Dokument gesendet",
    ]);
    expect(text).toContain(`Nummer: “${document.number}”`);
    expect(text).toContain(`/received/open?token=${linkIn({ text })}&lang=de`);
    expect(html).toContain(`<html lang="de" dir="ltr">`);
    expect(html).toContain(`/received/open?token=${linkIn({ text })}&amp;lang=de"`);
    expect((await recipients())[0]).toMatchObject({ is_waiting: false, sent_at: "2026-11-21T10:00:00.000Z" });
  });

  test("is refused until the company turns it on, and for what is not in force", async () => {
    const { call, send, set, token, of } = await fixture();
    await set({ delivers: "0" });
    expect((await send()).status).toBe(409);
    await set({ delivers: "1" });
    await call("exitDocument", of);
    expect((await send()).json.message).toBe("Only a document in force can be sent");
    await call("reactivateDocument", of);
    expect((await call("sendDocument", { token, params: { id: 999 }, body: rita })).status).toBe(404);
    expect((await send({ ...rita, email: "no address" })).json.errors.email).toBeDefined();
    expect((await send()).status).toBe(201);
    expect((await send({ ...rita, email: "RITA@recipient.example" })).json.errors.email).toEqual([
      "This document was sent to this address already: send a reminder instead",
    ]);
  });

  test("stores neither the link nor a mail with it", async () => {
    const { send, mails, stored, db } = await fixture();
    await send();
    const link = linkIn(mails[0]!);
    expect(Buffer.from(link, "base64url").length).toBe(32);
    expect(await stored()).toContain(tokenHash(link));
    expect(await stored()).not.toContain(link);
    const audit = JSON.stringify(await db.selectFrom("audit").selectAll().execute());
    expect(audit).not.toContain(link);
    expect(audit).not.toContain(rita.email);
    expect(audit).toContain('"sent"');
  });

  test("gives names that want to be the message no room", async () => {
    const { send, mails } = await fixture();
    await send({ ...rita, name: "Pay at https://evil.example <b>now</b>" });
    const [{ text, html }] = mails as [OutgoingMessage];
    expect(text).toContain("Für: “Pay at evil.⁠example <b>now<");
    expect(html).toContain("&lt;b&gt;now&lt;");
    expect(html).not.toContain("https://evil");
  });
});

suite("GET /documents/{id}/recipients", () => {
  test("shows what became of each", async () => {
    const { call, send, mails, recipients, advance } = await fixture();
    await send();
    const { token, params } = await visit({ call }, linkIn(mails[0]!));
    advance(minutesInMs(1));
    await call("getReceived", { token, params });
    advance(minutesInMs(1));
    await call("getReceivedPdf", { token, params });
    await call("getReceived", { token, params });
    expect((await recipients())[0]).toMatchObject({
      opened_at: "2026-11-21T10:01:00.000Z",
      downloaded_at: "2026-11-21T10:02:00.000Z",
    });
  });
});

/** A mail server that answers as it is told. */
function mailServer() {
  const state = {
    refusal: undefined as Error | undefined,
    isSilent: false,
    taken: [] as OutgoingMessage[],
    beforeTaking: async () => {},
  };
  const mail: Mail = {
    async send(message) {
      if (state.refusal) throw state.refusal;
      await state.beforeTaking();
      await message.handOver!();
      state.taken.push(message);
      if (state.isSilent) throw new DeliveryError("ETIMEDOUT");
    },
  };
  return { state, mail };
}

suite("a mail to a recipient", () => {
  test("that the mail server refuses for good is shown as bounced, with its reply", async () => {
    const { state, mail } = mailServer();
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const { send, recipients, db, call, of } = await fixture({}, { mail, log });
    const reply = "550 5.1.1 No such\r\nuser";
    state.refusal = new DeliveryError("EENVELOPE", { isOfMessage: true, isPermanent: true, reply });
    await send();
    expect((await recipients())[0]).toMatchObject({ bounce: "550 5.1.1 No such user", sent_at: "", is_waiting: false });
    expect((await recipients())[0].bounced_at).not.toBe("");
    expect(await db.selectFrom("holder_tokens").selectAll().execute()).toEqual([]);
    state.refusal = undefined;
    const params = { ...of.params, n: (await recipients())[0].id };
    await call("remindRecipient", { ...of, params });
    expect((await recipients())[0]).toMatchObject({ bounced_at: "", bounce: "" });
    expect(state.taken).toHaveLength(1);
  });

  test("that the mail server defers is sent later under the same Message-ID, and given up after two days", async () => {
    const { state, mail } = mailServer();
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const { send, recipients, rows, run, advance, db } = await fixture({}, { mail, log });
    state.refusal = new DeliveryError("EENVELOPE", { isOfMessage: true, reply: "451 Try later" });
    await send();
    expect((await recipients())[0]).toMatchObject({ is_waiting: true, bounced_at: "" });
    state.refusal = undefined;
    await run(recipientJob);
    expect(state.taken).toHaveLength(0);
    advance(minutesInMs(2));
    await run(recipientJob);
    expect(state.taken).toHaveLength(1);
    state.refusal = new DeliveryError("EENVELOPE", { isOfMessage: true, reply: "451 Try later" });
    await send({ ...rita, email: "other@recipient.example" });
    for (let n = 0; n < 20; n++) {
      advance(hoursInMs(8));
      await run(recipientJob);
    }
    expect((await rows())[0]).toMatchObject({ bounce: "451 Try later", sent_at: null });
    expect(await db.selectFrom("recipient_mails").selectAll().execute()).toEqual([]);
  });

  test("that the mail server may have taken without an answer is shown so, and is sent again by a reminder alone", async () => {
    const { state, mail } = mailServer();
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const { send, recipients, run, advance, call, of } = await fixture({}, { mail, log });
    const bounce = "The mail server gave no answer: it may not have arrived";
    state.isSilent = true;
    await send();
    advance(hoursInMs(1));
    await run(recipientJob);
    expect(state.taken).toHaveLength(1);
    expect((await recipients())[0]).toMatchObject({ bounce, bounced_at: "", is_waiting: false });
    expect((await recipients())[0].sent_at).not.toBe("");
    expect((await visit({ call }, linkIn(state.taken[0]!))).status).toBe(200);
    state.isSilent = false;
    await call("remindRecipient", { ...of, params: { ...of.params, n: (await recipients())[0].id } });
    expect(state.taken).toHaveLength(2);
    expect((await recipients())[0]).toMatchObject({ bounce: "" });
  });

  test("that a process had handed over when it died is not sent again, and is shown as unanswered", async () => {
    const { state, mail } = mailServer();
    const { send, run, recipients, db } = await fixture({}, { mail, nudgeRecipients: () => {} });
    await send();
    await db.updateTable("recipient_mails").set({ handed_over_at: "2026-11-20T10:00:00.000Z" }).execute();
    await run(recipientJob);
    expect(state.taken).toEqual([]);
    const bounce = "The mail server gave no answer: it may not have arrived";
    expect((await recipients())[0]).toMatchObject({ is_waiting: false, bounce, bounced_at: "" });
  });

  test("that is ended while it is being sent is not handed over", async () => {
    const { state, mail } = mailServer();
    const provider = await fixture({}, { mail });
    const { send, of, recipients } = provider;
    state.beforeTaking = async () => {
      const params = { ...of.params, n: (await provider.rows())[0]!.id };
      await provider.provider.fetch(...requestOf("endRecipient", { ...of, params }));
    };
    await send();
    expect([state.taken, (await recipients())[0].sent_at]).toEqual([[], ""]);
  });

  test("is sent once by several processes", async () => {
    const { services, state, send, db } = await (async () => {
      const { state, mail } = mailServer();
      return { state, ...(await fixture({}, { mail, nudgeRecipients: () => {} })) };
    })();
    for (let n = 0; n < 12; n++) await send({ ...rita, email: `rita${n}@recipient.example` });
    const { sendRecipientMails } = await import("./send-mails.ts");
    const never = new AbortController().signal;
    await Promise.all([1, 2, 3].map(() => sendRecipientMails(services, never)));
    expect(state.taken.map(({ to }) => to).toSorted()).toEqual(
      [...Array(12).keys()].map((n) => `rita${n}@recipient.example`).toSorted(),
    );
    expect(new Set(state.taken.map(({ id }) => id)).size).toBe(12);
    expect(await db.selectFrom("recipient_mails").selectAll().execute()).toEqual([]);
  });

  test("is not sent any more for what ended meanwhile, and says so", async () => {
    const { state, mail } = mailServer();
    const { send, call, of, set, run, recipients } = await fixture({}, { mail, nudgeRecipients: () => {} });
    const isUnsent = async () => {
      await run(recipientJob);
      expect(state.taken).toEqual([]);
      const bounce = expect.stringMatching(/^Not sent: /);
      expect((await recipients())[0]).toMatchObject({ is_waiting: false, sent_at: "", bounce });
    };
    await send();
    await call("exitDocument", of);
    await isUnsent();
    await call("reactivateDocument", of);
    await send({ ...rita, email: "other@recipient.example" });
    await set({ delivers: "" });
    await isUnsent();
  });
});

suite("a recipient", () => {
  test("is told that their document was withdrawn or replaced, if the company wants that", async () => {
    const { call, send, set, issue, of, token, document, mails } = await fixture();
    await send({ ...rita, language: "en" });
    await call("exitDocument", of);
    expect(mails).toHaveLength(1);
    await call("reactivateDocument", of);
    await set({ delivers: "1", delivery_news: "1" });
    await call("exitDocument", of);
    expect(mails).toHaveLength(2);
    expect(mails[1]!.subject).toBe("A document from “Hallam” is no longer in force");
    expect(mails[1]!.text).toContain("has withdrawn a document that was sent to you. It is no longer in force:");
    await call("reactivateDocument", of);
    const { json: newer } = await issue(token, { replaces: String(document.id) });
    expect(mails).toHaveLength(3);
    expect(mails[2]!.text).toContain(`and replaced it by “${newer.number}”`);
    const held = await visit({ call }, linkIn(mails[2]!));
    expect((await call("getReceived", held)).json).toMatchObject({ verdict: "withdrawn" });
  });
});

suite("POST /documents/{id}/recipients/{n}/remind", () => {
  test("sends another link, while the earlier one stays valid", async () => {
    const { call, send, of, recipients, mails } = await fixture();
    await send();
    const remind = { ...of, params: { ...of.params, n: (await recipients())[0].id } };
    expect((await call("remindRecipient", remind)).status).toBe(200);
    expect(mails.map(({ subject }) => subject)[1]).toBe("Erinnerung: “Hallam” hat Ihnen ein Dokument gesendet");
    const links = mails.map(linkIn);
    expect(new Set(links).size).toBe(2);
    for (const link of links) expect((await visit({ call }, link)).status).toBe(200);
    for (let n = 0; n < 4; n++) await call("remindRecipient", remind);
    expect((await call("remindRecipient", remind)).status).toBe(429);
    expect((await call("remindRecipient", { ...of, params: { ...of.params, n: 999 } })).status).toBe(404);
  });
});

suite("POST /documents/{id}/recipients/{n}/end", () => {
  test("ends links, visits and the entry in the list at once; a reminder opens it anew", async () => {
    const { call, send, of, recipients, mails } = await fixture();
    await send();
    const { json: session } = await signIn({ call, mails });
    const { token, params } = await visit({ call }, linkIn(mails[0]!));
    const one = { ...of, params: { ...of.params, n: (await recipients())[0].id } };
    expect((await call("endRecipient", one)).json.ended_at).not.toBe("");
    expect((await visit({ call }, linkIn(mails[0]!))).status).toBe(401);
    expect((await call("getReceived", { token, params })).status).toBe(401);
    expect((await call("getReceived", { token: session.token, params })).status).toBe(404);
    expect((await call("listReceived", { token: session.token })).json.documents).toEqual([]);
    await call("remindRecipient", one);
    expect((await visit({ call }, linkIn(mails.at(-1)!))).status).toBe(200);
    expect((await visit({ call }, linkIn(mails[0]!))).status).toBe(401);
  });
});

suite("GET /received/link", () => {
  test("says from whom it is, and counts as no opening", async () => {
    const { call, send, mails, recipients } = await fixture();
    await send();
    const { status, json } = await call("receivedLink", { token: linkIn(mails[0]!) });
    expect([status, json]).toEqual([200, { company: "Hallam", language: "de" }]);
    expect((await recipients())[0].opened_at).toBe("");
  });
});

suite("POST /received/link", () => {
  test("opens one document alone, until the link ends", async () => {
    const { call, send, issue, token: staff, mails, advance } = await fixture({ delivery_days: "7" });
    await send();
    const { json: other } = await issue(staff);
    await call("sendDocument", { token: staff, params: { id: other.id }, body: rita });
    const [one, two] = [await visit({ call }, linkIn(mails[0]!)), await visit({ call }, linkIn(mails[1]!))];
    const { json } = await call("getReceived", one);
    expect(json).toMatchObject({ verdict: "in force", company: "Hallam", open_pages: [] });
    expect((await call("getReceived", { token: one.token, params: two.params })).status).toBe(404);
    expect((await call("getReceivedPdf", { token: one.token, params: two.params })).status).toBe(404);
    expect((await call("listReceived", { token: one.token })).status).toBe(401);
    advance(hoursInMs(1));
    expect((await call("getReceived", one)).status).toBe(401);
    expect((await visit({ call }, linkIn(mails[0]!))).status).toBe(200);
    advance(daysInMs(7));
    expect((await visit({ call }, linkIn(mails[0]!))).status).toBe(401);
  });

  test("opens nothing for guesses, for tokens of other kinds, and while the company has it off", async () => {
    const { call, send, mails, set, token } = await fixture();
    await send();
    const link = linkIn(mails[0]!);
    const { token: own } = await visit({ call }, link);
    const { json: request } = await call("requestReceivedCode", { body: { email: rita.email } });
    for (const guess of ["", "A".repeat(43), link.slice(1), tokenHash(link), own, request.token, token]) {
      expect((await call("openReceivedLink", { token: guess })).status, guess).toBe(401);
      expect((await call("receivedLink", { token: guess })).status, guess).toBe(401);
    }
    for (const guess of [link, request.token, token]) {
      expect((await call("getReceived", { token: guess, params: { id: 1 } })).status).toBe(401);
      expect((await call("listReceived", { token: guess })).status).toBe(401);
    }
    expect((await call("getDocument", { token: own, params: { id: 1 } })).status).toBe(401);
    await set({ delivers: "0" });
    expect((await visit({ call }, link)).status).toBe(401);
  });
});

suite("GET /received/{id}", () => {
  test("says that a document was withdrawn, and shows its pages no more", async () => {
    const { call, send, mails, of } = await fixture({ delivery_pages: "1" });
    await send();
    const held = await visit({ call }, linkIn(mails[0]!));
    expect((await call("getReceived", held)).json.open_pages).toEqual([{ n: 1, pages: 1 }]);
    await call("exitDocument", of);
    expect((await call("getReceived", held)).json).toMatchObject({ verdict: "withdrawn", open_pages: [] });
  });
});

suite("GET /received/{id}/sealed-pdf", () => {
  test("is the file that staff save, and a part of it", async () => {
    const { call, send, mails, of } = await fixture();
    await send();
    const held = await visit({ call }, linkIn(mails[0]!));
    const [own, staffs] = [await call("getReceivedPdf", held), await call("getSealedPdf", of)];
    expect(Buffer.from(own.bytes)).toEqual(Buffer.from(staffs.bytes));
    expect(own.headers.get("cache-control")).toBe("private, no-store");
  });
});

suite("GET /received/{id}/proof.zip", () => {
  test("has the sealed PDF with what proves it, of the document of the visit alone, and counts as a download", async () => {
    const { call, send, mails, issue, token, recipients, document } = await fixture();
    await send();
    const held = await visit({ call }, linkIn(mails[0]!));
    const { json: other } = await issue(token);
    await call("sendDocument", { token, params: { id: other.id }, body: rita });
    const proof = await call("getReceivedProof", held);
    expect([proof.status, proof.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
    // Names stand unpacked in a ZIP.
    const names = [
      ...Buffer.from(proof.bytes)
        .toString("latin1")
        .matchAll(/[\w./-]+\.(?:pdf|jwt|html)|SHA256SUMS/g),
    ].map(String);
    expect(names).toEqual(expect.arrayContaining([`${document.number}.pdf`, "SHA256SUMS", "status-list.jwt"]));
    expect(names.join()).not.toContain(other.number);
    expect((await recipients())[0].downloaded_at).not.toBe("");
    const theirs = { ...held, params: { id: held.params.id + 1 } };
    expect((await call("getReceivedProof", theirs)).status).toBe(404);
    expect((await call("getReceivedProof", { params: held.params })).status).toBe(401);
  });
});

suite("GET /received/{id}/pages/{n}", () => {
  test("is for companies that show pages", async () => {
    const { call, send, mails, set } = await fixture({ delivery_pages: "1" });
    await send();
    const { token, params } = await visit({ call }, linkIn(mails[0]!));
    const page = { token, params: { ...params, n: 1 } };
    expect((await call("getReceivedPage", page)).headers.get("content-type")).toBe("image/webp");
    expect((await call("getReceivedPage", { ...page, params: { ...params, n: 2 } })).status).toBe(404);
    await set({ delivers: "1" });
    expect((await call("getReceivedPage", page)).status).toBe(404);
  });
});

suite("POST /received/codes", () => {
  test("answers alike and writes alike whether or not an address is known, and mails only to known ones", async () => {
    const { call, send, mails, db } = await fixture({}, {});
    await send();
    mails.length = 0;
    const [known, unknown] = [
      await call("requestReceivedCode", { body: { email: "Rita@Recipient.example", language: "fr" } }),
      await call("requestReceivedCode", { body: { email: "nobody@recipient.example" } }),
    ];
    expect([known.status, Object.keys(known.json)]).toEqual([unknown.status, Object.keys(unknown.json)]);
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      [rita.email, expect.stringMatching(/^Votre code pour «.Mes documents.»$/)],
    ]);
    const requests = db.selectFrom("holder_tokens").where("kind", "=", "request").select("email_key");
    expect(await requests.execute()).toEqual([{ email_key: rita.email }]);
    expect(await db.selectFrom("recipient_mails").selectAll().execute()).toEqual([]);
  });

  test("sends an address ten an hour at most, and says nothing of it", async () => {
    const { call, send, mails } = await fixture();
    await send();
    mails.length = 0;
    for (let n = 0; n < 14; n++) {
      expect((await call("requestReceivedCode", { body: { email: rita.email } })).status).toBe(201);
    }
    expect(mails.length).toBeLessThanOrEqual(10);
    expect(mails.length).toBeGreaterThan(0);
  });
});

suite("POST /received/session", () => {
  test("takes a code once, within ten minutes, and with the request that it was sent for", async () => {
    const { call, send, mails, advance, stored } = await fixture();
    await send();
    const ask = async () => (await call("requestReceivedCode", { body: { email: rita.email } })).json.token as string;
    const open = (token: string, code: string) => call("openReceived", { token, body: { code } });
    const [first, firstCode] = [await ask(), codeIn(mails.at(-1)!)];
    expect(await stored()).not.toContain(`"${firstCode}"`);
    const [second, secondCode] = [await ask(), codeIn(mails.at(-1)!)];
    if (firstCode !== secondCode) expect((await open(second, firstCode)).status).toBe(422);
    expect((await open("A".repeat(43), firstCode)).status).toBe(422);
    expect((await open(first, `${firstCode.slice(0, 3)} ${firstCode.slice(3)}`)).status).toBe(200);
    expect((await open(first, firstCode)).status).toBe(422);
    advance(minutesInMs(10));
    expect((await open(second, secondCode)).status).toBe(422);
  });

  test("opens one session alone if a code is sent twice at the same time", async () => {
    const { call, send, mails } = await fixture();
    await send();
    const { json: request } = await call("requestReceivedCode", { body: { email: rita.email } });
    const opening = { token: request.token, body: { code: codeIn(mails.at(-1)!) } };
    const replies = await Promise.all([1, 2, 3].map(() => call("openReceived", opening)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 422, 422]);
  });

  test("ends a request after five tries", async () => {
    const { call, send, mails } = await fixture();
    await send();
    const { json: request } = await call("requestReceivedCode", { body: { email: rita.email } });
    const code = codeIn(mails.at(-1)!);
    const wrong = code === "000000" ? "000001" : "000000";
    const open = (typed: string) => call("openReceived", { token: request.token, body: { code: typed } });
    for (let n = 0; n < 5; n++) expect((await open(wrong)).status).toBe(422);
    expect((await open(code)).status).toBe(429);
  });
});

suite("GET /received", () => {
  test("lists what was sent to the address by any company and is in force, by company", async () => {
    const provider = await fixture();
    const { call, send, company, issue, document, token } = provider;
    await send();
    const { json: withdrawn } = await issue(token);
    await call("sendDocument", { token, params: { id: withdrawn.id }, body: rita });
    await call("exitDocument", { token, params: { id: withdrawn.id } });
    const { json: others } = await issue(token);
    const rob = { ...rita, email: "rob@recipient.example" };
    const { json: robs } = await call("sendDocument", { token, params: { id: others.id }, body: rob });
    const { admin: second } = await company("Alder");
    await call("updateRecipientSettings", { token: second.token, body: { delivers: "1", delivery_days: "90" } });
    const { json: theirs } = await issue(second.token);
    await call("sendDocument", { token: second.token, params: { id: theirs.id }, body: rita });
    const { json: session } = await signIn(provider);
    const { json } = await call("listReceived", { token: session.token });
    expect(json.email).toBe(rita.email);
    expect(json.documents).toMatchObject([
      { company: "Alder", number: theirs.number },
      { company: "Hallam", number: document.number },
    ]);
    const [{ id }] = json.documents;
    expect((await call("getReceived", { token: session.token, params: { id } })).json.company).toBe("Alder");
    expect((await call("getReceivedPdf", { token: session.token, params: { id } })).status).toBe(200);
    const ofRob = { token: session.token, params: { id: robs.id } };
    expect((await call("getReceived", ofRob)).status).toBe(404);
    expect((await call("getReceivedPdf", ofRob)).status).toBe(404);
  });

  test("lists the newest of very many in force, however many have ended, and says that there are more", async () => {
    const provider = await fixture();
    const { call, send, db, document, companyId } = provider;
    await send();
    const [{ id: _, ...recipient }] = (await provider.rows()) as [Awaited<ReturnType<typeof provider.rows>>[number]];
    const { owner_id } = await db.selectFrom("documents").select("owner_id").executeTakeFirstOrThrow();
    const sendMany = async (count: number, fields: Parameters<typeof addDocuments>[3][number]) => {
      const added = await addDocuments(
        provider,
        companyId,
        owner_id,
        several(count, () => fields),
      );
      const recipients = added.map(({ id }) => ({ ...recipient, document_id: id }));
      await db.insertInto("recipients").values(recipients).execute();
    };
    const { json: session } = await signIn(provider);
    const listed = async () => (await call("listReceived", { token: session.token })).json;
    await sendMany(1001, { date: "2030-01-01", expire_date: "2026-11-19" });
    await sendMany(1001, { date: "2030-01-01", status: "archived", status_before_archive: "exited" });
    expect(await listed()).toMatchObject({ is_partial: false, documents: [{ number: document.number }] });
    await sendMany(1000, { date: "2028-01-01" });
    const { is_partial, documents } = await listed();
    expect([is_partial, documents.length]).toEqual([true, 1000]);
    expect(documents).not.toContainEqual(expect.objectContaining({ number: document.number }));
  });
});

suite("DELETE /received/session", () => {
  test("ends it", async () => {
    const provider = await fixture();
    await provider.send();
    const { json: session } = await signIn(provider);
    expect((await provider.call("closeReceived", { token: session.token })).status).toBe(204);
    expect((await provider.call("listReceived", { token: session.token })).status).toBe(401);
  });
});

suite("GET /company/recipients", () => {
  test("is off for a new company", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    const { json } = await call("getRecipientSettings", { token: admin.token });
    const off = { delivers: false, delivery_pages: false, delivery_news: false };
    expect(json).toEqual({ ...off, delivery_days: 90, recipient_days: 0 });
  });
});

suite("PUT /company/recipients", () => {
  test("is noted, and refuses days that are none", async () => {
    const { set, db } = await fixture();
    expect((await set({ delivers: "1", delivery_days: "0" })).json.errors.delivery_days).toBeDefined();
    expect((await set({ delivers: "1", recipient_days: "x" })).json.errors.recipient_days).toBeDefined();
    await set({ delivers: "1" });
    const noted = db.selectFrom("audit").where("action", "=", "recipient settings changed").select("changes");
    expect(await noted.execute()).toEqual([
      { changes: JSON.stringify([{ field: "delivers", before: false, after: true }]) },
    ]);
  });

  test("deletes recipients and what opens their documents after its days", async () => {
    const { send, run, advance, rows, call, mails, db } = await fixture({ recipient_days: "30" });
    await send();
    advance(daysInMs(29));
    await run("expired");
    expect(await rows()).toHaveLength(1);
    advance(daysInMs(2));
    await run("expired");
    expect(await rows()).toEqual([]);
    expect((await visit({ call }, linkIn(mails[0]!))).status).toBe(401);
    expect(await db.selectFrom("holder_tokens").selectAll().execute()).toEqual([]);
  });
});

suite("POST /company/recipients/erase", () => {
  test("leaves no trace of an address in the company, and other companies theirs", async () => {
    const provider = await fixture();
    const { call, send, company, issue, db, mails, token } = provider;
    await send();
    const { admin: second } = await company("Alder");
    await call("updateRecipientSettings", { token: second.token, body: { delivers: "1", delivery_days: "90" } });
    const { json: theirs } = await issue(second.token);
    await call("sendDocument", { token: second.token, params: { id: theirs.id }, body: rita });
    const erase = () => call("eraseRecipient", { token, body: { email: "RITA@recipient.example" } });
    expect((await erase()).json).toEqual({ erased: 1 });
    expect((await erase()).json).toEqual({ erased: 0 });
    expect((await visit({ call }, linkIn(mails[0]!))).status).toBe(401);
    expect((await visit({ call }, linkIn(mails[1]!))).status).toBe(200);
    const left = await db.selectFrom("recipients").select("document_id").execute();
    expect(left).toEqual([{ document_id: theirs.id }]);
  });
});

suite("POST /received/{id}/wallet-offers", () => {
  const walletOffer = async ({ call, send, mails, token }: Awaited<ReturnType<typeof fixture>>, active = true) => {
    await call("updateWallet", { token, body: { active } });
    await send();
    const visitor = await visit({ call }, linkIn(mails.at(-1)!));
    const make = () => call("createReceivedOffer", visitor);
    const offered = async () => (await call("getReceived", visitor)).json.wallet as boolean;
    return { visitor, make, offered };
  };

  test("adds the document to one wallet of its holder, who needs no account", async () => {
    const holding = await fixture();
    const { call, document } = holding;
    const { make, offered } = await walletOffer(holding);
    expect(await offered()).toBe(true);
    const { status, json } = await make();
    expect(status).toBe(201);
    const { grants } = JSON.parse(new URL(json.offer as string).searchParams.get("credential_offer")!);
    const [[grant_type, code]] = Object.entries(grants) as [[string, object]];
    const redeemed = await call("redeemWalletOffer", { body: { grant_type, ...code } });
    expect(redeemed.status).toBe(200);
    const secret = holding.db.selectFrom("wallet_secrets").select("document_id");
    expect(await secret.execute()).toEqual([{ document_id: document.id }]);
  });

  test("is in the document’s history, and in its public record only as a change", async () => {
    const holding = await fixture();
    const { call, of, db, document } = holding;
    await (await walletOffer(holding)).make();
    const [entry] = (await call("documentHistory", of)).json;
    expect(entry).toMatchObject({ action: "wallet offer made", actor: "Holder", changes: [] });
    await call("createWalletOffer", of);
    const records = await db.selectFrom("log_entries").where("entity", "=", "document").selectAll().execute();
    const kinds = records
      .filter(({ entity_id }) => entity_id === document.id)
      .map(({ record }) => JSON.parse(record).kind);
    expect(kinds).toEqual(["issued", "changed", "changed"]);
    expect(JSON.stringify(records)).not.toContain("wallet");
  });

  test("is refused while wallets are off, for what is not in force, and to whoever it was not sent to", async () => {
    const holding = await fixture();
    const { call, of, token } = holding;
    const { visitor, make, offered } = await walletOffer(holding, false);
    expect([await offered(), (await make()).status]).toEqual([false, 409]);
    await call("updateWallet", { token, body: { active: true } });
    await call("exitDocument", of);
    expect([await offered(), (await make()).status]).toEqual([false, 409]);
    await call("reactivateDocument", of);
    const { id } = visitor.params;
    const other = await call("createReceivedOffer", { ...visitor, params: { id: id + 1 } });
    expect(other.status).toBe(404);
    for (const bearer of [token, "made-up"]) {
      expect((await call("createReceivedOffer", { token: bearer, params: { id } })).status).toBe(401);
    }
    expect((await make()).status).toBe(201);
  });

  test("is limited by holder", async () => {
    const holding = await fixture({}, {}, { points: (limit, usual) => (limit === "received_offers" ? 1 : usual) });
    const { make } = await walletOffer(holding);
    expect([(await make()).status, (await make()).status]).toEqual([201, 429]);
  });
});
