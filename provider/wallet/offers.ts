import type { z } from "zod";
import { audit } from "../audit/audit-queries.ts";
import type { Caller } from "../access.ts";
import { dateIn } from "../calendar/calendar.ts";
import type { redeemWalletOffer } from "../contract/wallet.ts";
import type { Db } from "../db/tables.ts";
import { findDocument } from "../documents/document-queries.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { conflict, findReachable, HttpError } from "../http/errors.ts";
import type { OpenRecipient } from "../recipients/received.ts";
import { validityOf } from "../scans/validity.ts";
import type { Services } from "../services.ts";
import { activeIssuer, issuerUrl } from "./issuers.ts";
import { configurationId, preAuthorized } from "./metadata.ts";
import { insertSecret, tokenSeconds, useSecret } from "./secrets.ts";

/** Offers of documents to wallets. */

/** Makes an offer for staff. Throws 404, and as `offerOf`. */
export const makeOffer = (services: Services, caller: Caller, id: number) =>
  inCallerTransaction(services, caller, async (db, actor) => {
    const document = await findReachable((right) => findDocument(db, actor, id, right), "write");
    return offerOf(db, services, actor, document);
  });

/** No user: what a holder's session or link proves is in no account. */
const holder = { id: 0, name: "Holder", key: undefined };

/** Makes an offer for the holder of a document that was sent to them. Throws as `offerOf`. */
export const makeHoldersOffer = (services: Services, { company_id, ...document }: OpenRecipient) =>
  services.db.transaction().execute((db) => offerOf(db, services, { ...holder, company_id }, document));

type Offered = Pick<OpenRecipient, "id" | "name"> & Parameters<typeof validityOf>[0];

/** Makes an offer with its audit entry. Throws 409 while wallets are turned off or the document is not in force. */
async function offerOf(db: Db, services: Services, actor: Parameters<typeof audit>[1]["actor"], document: Offered) {
  const { now, publicUrl } = services;
  const { id: document_id, name } = document;
  const { company_id } = actor;
  const issuer = await activeIssuer(db, company_id);
  if (!issuer) throw conflict("The company has wallets turned off: they are turned on in Settings");
  if (validityOf(document, dateIn(issuer.timezone, now())) !== "in force") {
    throw conflict("Only a document in force can be added to a wallet");
  }
  const subject = { entity: "document", id: document_id, name } as const;
  await audit(db, { actor, action: "wallet offer made", subject, at: now() });
  const { secret, expires_at } = await insertSecret(db, services, "code", { company_id, document_id });
  const offer = {
    credential_issuer: issuerUrl(publicUrl, issuer.issuer),
    credential_configuration_ids: [configurationId],
    grants: { [preAuthorized]: { "pre-authorized_code": secret } },
  };
  const query = new URLSearchParams({ credential_offer: JSON.stringify(offer) });
  return { offer: `openid-credential-offer://?${query}`, expires_at };
}

export const oauthError = (error: string, message: string) => new HttpError(400, message, { error });

/** The token for a code, which has no use after that. Throws 400. */
export async function redeemCode(services: Services, body: z.output<typeof redeemWalletOffer.body>) {
  if (body.grant_type !== preAuthorized) throw oauthError("unsupported_grant_type", "Only offers can be redeemed here");
  const { secret } = await services.db.transaction().execute(async (db) => {
    const held = await useSecret(db, services, "code", body["pre-authorized_code"]);
    if (!held) throw oauthError("invalid_grant", "This offer was used, or has expired: ask for another one");
    return insertSecret(db, services, "token", held);
  });
  return { access_token: secret, token_type: "Bearer" as const, expires_in: tokenSeconds };
}
