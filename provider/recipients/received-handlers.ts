import { foldEmail } from "#lib/text.ts";
import type { Networks } from "#lib/storage/limits/networks.ts";
import { openToAll } from "../contract/document-options.ts";
import * as contract from "../contract/received.ts";
import { proofReply, sealedReply, visitorsPage } from "../documents/document-file-replies.ts";
import { pageFilesOf } from "../documents/document-queries.ts";
import { companyRequester } from "../files/requesters.ts";
import type { On } from "../http/endpoint.ts";
import { expiredLink, invalid, notFound, unauthorized } from "../http/errors.ts";
import { isAllowed, limitByKey, limitByNetwork, limitWithReserve } from "../http/rate-limits.ts";
import { verificationOf } from "../scans/scan-view.ts";
import { documentByCode, endOfValidity } from "../scans/validity.ts";
import type { Services } from "../services.ts";
import { tokenHash } from "../sessions/tokens.ts";
import { activeIssuer } from "../wallet/issuers.ts";
import { makeHoldersOffer } from "../wallet/offers.ts";
import { endHolderToken, findHolderToken, issueHolderToken, newToken, takeRequest } from "./holder-tokens.ts";
import { type OpenRecipient, openRecipient, receivedRows } from "./received.ts";
import { newMessageId } from "./recipients.ts";

type HoldersRequest = { token: string | undefined; networks: Networks; hostCompany: number | undefined };

type Download = HoldersRequest & { params: { id: number }; request: Request };

/** Documents that were sent, for their holders. */
export function serveReceived(on: On, services: Services) {
  const { db, now } = services;
  const limits = {
    byNetwork: limitByNetwork(services, "received_address"),
    pages: limitByNetwork(services, "verify_pages"),
    offers: limitByKey(services, "received_offers"),
  };

  const ofLink = async ({ token, networks, hostCompany }: HoldersRequest) => {
    await limits.byNetwork.count(networks);
    const link = await findHolderToken(db, token, ["link"], now());
    const recipient = link && (await openRecipient(db, link.recipient_id!, hostCompany));
    if (!recipient) throw expiredLink();
    return recipient;
  };

  /** What the bearer may open: the document of a visit, or one that was sent to the session's address. */
  const received = async ({ token, hostCompany }: HoldersRequest, id: number): Promise<OpenRecipient> => {
    const holder = await findHolderToken(db, token, ["visit", "session"], now());
    if (!holder) throw unauthorized();
    const recipient = await openRecipient(db, id, hostCompany);
    const isTheirs =
      holder.kind === "visit"
        ? holder.recipient_id === id
        : recipient?.sent_at && holder.email_key === recipient.email_key;
    if (!recipient || !isTheirs) throw notFound();
    return recipient;
  };

  on(contract.receivedLink, async (asked) => {
    const { company, language } = await ofLink(asked);
    return { company, language };
  });

  on(contract.openReceivedLink, async (asked) => {
    const { recipient_id: id } = await ofLink(asked);
    return { id, token: await issueHolderToken(db, "visit", { recipient_id: id }, { now: now() }) };
  });

  on(contract.listReceived, async ({ token, networks, hostCompany }) => {
    await limits.byNetwork.count(networks);
    const session = await findHolderToken(db, token, ["session"], now());
    if (!session) throw unauthorized();
    const { rows, isPartial } = await receivedRows(db, session.email_key!, now(), hostCompany);
    const documents = rows.map(({ id, company, number, document_type, document_subtype, date, expire_date }) => {
      return { id, company, number, document_type, document_subtype, date, expire_date: expire_date ?? "" };
    });
    return { email: rows[0]?.email ?? session.email_key!, documents, is_partial: isPartial };
  });

  on(contract.getReceived, async (asked) => {
    await limits.byNetwork.count(asked.networks);
    const recipient = await received(asked, asked.params.id);
    const scanned = await documentByCode(db, recipient.code, undefined);
    if (!scanned) throw notFound();
    const verification = await verificationOf(services, scanned, "");
    const pages = showsPages(recipient) ? await pageFilesOf(db, recipient.id) : [];
    await note(services, recipient, "opened_at");
    const isInForce = !endOfValidity(recipient, now());
    const wallet = isInForce && (await activeIssuer(db, recipient.company_id)) !== undefined;
    const open_pages = pages.map(({ n, pages: count }) => ({ n, pages: count }));
    return { ...verification, open_pages, preparing: false, wallet };
  });

  on(contract.createReceivedOffer, async (asked) => {
    await limits.byNetwork.count(asked.networks);
    const recipient = await received(asked, asked.params.id);
    await limits.offers.count(String(recipient.recipient_id));
    return makeHoldersOffer(services, recipient);
  });

  const download =
    (reply: typeof sealedReply) =>
    async ({ params, request, ...asked }: Download) => {
      await limits.byNetwork.count(asked.networks);
      const document = await received(asked, params.id);
      const requester = companyRequester(document.company_id, "public", request.signal);
      const file = await reply(services, { request, requester, document, copy: 1 });
      await note(services, document, "downloaded_at");
      return file;
    };
  on(contract.getReceivedPdf, download(sealedReply));
  on(contract.getReceivedProof, download(proofReply));

  on(contract.getReceivedPage, async ({ params, query, request, ...asked }) => {
    await limits.pages.count(asked.networks);
    const recipient = await received(asked, params.id);
    if (!showsPages(recipient)) throw notFound();
    return visitorsPage(services, recipient, { ...params, ...query, signal: request.signal });
  });

  const showsPages = (recipient: OpenRecipient) =>
    (recipient.delivery_pages === 1 || recipient.access_type === openToAll) && !endOfValidity(recipient, now());
}

/** Stores when a holder first did something. */
async function note({ db, now }: Services, recipient: OpenRecipient, column: "opened_at" | "downloaded_at") {
  if (recipient[column] !== null) return;
  const first = db.updateTable("recipients").set({ [column]: now().toISOString() });
  await first.where("id", "=", recipient.recipient_id).where(column, "is", null).execute();
}

/** Sessions by a code. Nothing tells a stranger whether anything was sent to an address. */
export function serveReceivedCodes(on: On, services: Services) {
  const { db, now, publicUrl } = services;
  const limits = {
    requests: limitByNetwork(services, "received_codes_address"),
    mails: limitWithReserve(services, "received_codes"),
    tries: limitByNetwork(services, "received_tries_address"),
    triesOfRequest: limitByKey(services, "received_tries"),
  };

  on(contract.requestReceivedCode, async ({ body, networks }) => {
    await limits.requests.count(networks);
    const email_key = foldEmail(body.email);
    // Beyond the limit it is a token of nothing.
    if (!(await isAllowed(() => limits.mails.count(email_key, networks)))) return { token: newToken() };
    const token = await issueHolderToken(db, "request", { email_key }, { now: now() });
    const at = now().toISOString();
    const request = {
      recipient_id: null,
      request_hash: tokenHash(token),
      kind: "code",
      language: body.language,
    } as const;
    const mail = { ...request, message_id: newMessageId(publicUrl), created_at: at, next_at: at };
    await db.insertInto("recipient_mails").values(mail).execute();
    services.nudgeRecipients?.();
    return { token };
  });

  on(contract.openReceived, async ({ body, token, networks }) => {
    await limits.tries.count(networks);
    await limits.triesOfRequest.count(token ?? "");
    const email_key = await takeRequest(db, token, body.code.replace(/\s/g, ""), now());
    if (!email_key) throw invalid({ code: contract.wrongCode });
    await limits.tries.refund(networks);
    return { token: await issueHolderToken(db, "session", { email_key }, { now: now() }), id: 0 };
  });

  on(contract.closeReceived, async ({ token }) => void (await endHolderToken(db, token)));
}
