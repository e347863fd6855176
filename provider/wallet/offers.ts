import type { z } from "zod";
import { audit } from "../audit/audit-queries.ts";
import type { Caller } from "../access.ts";
import { dateIn } from "../calendar/calendar.ts";
import type { redeemWalletOffer } from "../contract/wallet.ts";
import type { Db } from "../db/tables.ts";
import { findDocument } from "../documents/document-queries.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { conflict, findReachable, HttpError } from "../http/errors.ts";
import { validityOf } from "../scans/validity.ts";
import type { Services } from "../services.ts";
import { activeIssuer, type Issuer, issuerUrl } from "./issuers.ts";
import { configurationId, preAuthorized } from "./metadata.ts";
import { insertSecret, tokenSeconds, useSecret } from "./secrets.ts";

/** Offers of documents to wallets. */

/** Makes an offer with its audit entry. Throws 404, and 409 while wallets are turned off or the document is not in force. */
export const makeOffer = (services: Services, caller: Caller, id: number) =>
  inCallerTransaction(services, caller, async (db, actor) => {
    const { now } = services;
    const document = await findReachable((right) => findDocument(db, actor, id, right), "write");
    const issuer = await activeIssuer(db, actor.company_id);
    if (!issuer) throw conflict("Your company has wallets turned off: turn them on in Settings first");
    if (validityOf(document, dateIn(actor.timezone, now())) !== "in force") {
      throw conflict("Only a document in force can be added to a wallet");
    }
    const subject = { entity: "document", id, name: document.name } as const;
    await audit(db, { actor, action: "wallet offer made", subject, at: now() });
    return offerOf(db, services, issuer, id);
  });

/** Makes an offer of a document that whoever gets it may have. */
async function offerOf(db: Db, services: Services, issuer: Issuer, document_id: number) {
  const { secret, expires_at } = await insertSecret(db, services, "code", { company_id: issuer.id, document_id });
  const offer = {
    credential_issuer: issuerUrl(services.publicUrl, issuer.issuer),
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
