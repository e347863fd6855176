import { isMultipart } from "#lib/intake/multipart.ts";
import * as contract from "../contract/wallet.ts";
import { createFilePlaces, placeOf } from "../file-checks/uploads.ts";
import type { On } from "../http/endpoint.ts";
import { notFound } from "../http/errors.ts";
import { orDiscard } from "../http/or-discard.ts";
import { limitByKey, limitByNetwork } from "../http/rate-limits.ts";
import { refuseWithoutKey } from "../seal/keys/missing-key.ts";
import type { Services } from "../services.ts";
import { changeWallet, walletOf } from "./change-wallet.ts";
import { checkCredential, textIn } from "./check-credential.ts";
import { newNonce } from "./holder-proofs.ts";
import { issueCredential } from "./issue-credential.ts";
import { issuerAt } from "./issuers.ts";
import { metadataOf } from "./metadata.ts";
import { makeOffer, redeemCode } from "./offers.ts";

/** Documents in wallets: the company's setting, staff's offers, and what wallets call. */
export function serveWallets(on: On, services: Services) {
  const { db } = services;
  const wallets = limitByNetwork(services, "wallets");
  const checks = limitByNetwork(services, "verify_signature");
  const pictures = limitByNetwork(services, "credential_pictures");
  const takePlace = createFilePlaces(services, { total: 10, each: 3 });
  const offers = limitByKey(services, "wallet_offers");

  on(contract.getWallet, ({ actor }) => walletOf(db, actor.company_id));

  on(contract.updateWallet, ({ caller, body }) =>
    changeWallet(services, caller, body).catch(refuseWithoutKey(services)),
  );

  on(contract.createWalletOffer, async ({ actor, caller, params }) => {
    await offers.count(String(actor.id));
    return makeOffer(services, caller, params.id);
  });

  on(contract.walletMetadata, async ({ params, networks }) => {
    await wallets.count(networks);
    const issuer = await issuerAt(db, params.issuer);
    const metadata = issuer && (await metadataOf(services, issuer, params.metadata));
    if (!metadata) throw notFound();
    return metadata;
  });

  on(contract.redeemWalletOffer, async ({ body, networks }) => {
    await wallets.count(networks);
    return redeemCode(services, body);
  });

  on(contract.createWalletNonce, async ({ networks }) => {
    await wallets.count(networks);
    return { c_nonce: newNonce(services) };
  });

  on(contract.issueCredential, async ({ body, token, networks }) => {
    await wallets.count(networks);
    const credential = await issueCredential(services, token ?? "", body).catch(refuseWithoutKey(services));
    return { credentials: [{ credential }] };
  });

  on(
    contract.checkCredential,
    async ({ body, received: [picture], networks, hostCompany, request }) => {
      await checks.count(networks);
      const text = body.credential || (await textIn(services, picture, request.signal));
      return checkCredential(services, text, hostCompany);
    },
    ({ networks, request }) =>
      orDiscard(request, async () => {
        if (!isMultipart(request)) return undefined;
        await pictures.count(networks);
        return takePlace(...placeOf(networks));
      }),
  );
}
