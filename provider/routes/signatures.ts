import { minutesInSeconds } from "#units";
import * as contract from "../contract/signatures.ts";
import { readCode } from "../documents/codes.ts";
import type { On } from "../http/endpoint.ts";
import { invalid } from "../http/errors.ts";
import { limitByNetwork } from "../http/rate-limits.ts";
import { documentByCode } from "../scans/validity.ts";
import { checkSignature } from "../seal/signatures.ts";
import type { Services } from "../services.ts";

/** The public call behind signed codes. It shows no more of a document than its verification page and its paper. */
export function serveSignatures(on: On, services: Services) {
  const { db, log } = services;
  const byNetwork = limitByNetwork(services, ["verify_signature", 300, minutesInSeconds(10)]);

  on(contract.checkSignature, async ({ params, body, networks }) => {
    await byNetwork.count(networks);
    const code = readCode(params.code);
    if (!code) throw invalid({ code: "This code is not complete or has a wrong character: compare it with the paper" });
    const document = await documentByCode(db, code);
    const signature = await checkSignature(services, { code, digits: body.digits, document });
    // Rows were lost, a key was stolen, or the register was edited: none of it is the visitor's doing.
    if (signature.verdict === "no record") log.warn({ company: signature.company }, "signed code without a record");
    if (signature.verdict === "contradicts")
      log.warn(
        { document: document?.id, differs: signature.differs.map(({ field }) => field) },
        "signed code contradicts its record",
      );
    return signature;
  });
}
