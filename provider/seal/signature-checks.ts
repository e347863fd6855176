import type { Networks } from "#lib/storage/limits/networks.ts";
import { limitByNetwork } from "../http/rate-limits.ts";
import type { Services } from "../services.ts";
import { checkSignature, type Signature } from "./signatures.ts";

/** Checks signatures for visitors: limits them, and logs what none of them has done. Throws 429. */
export function signatureChecks(services: Services) {
  const { log } = services;
  const byNetwork = limitByNetwork(services, "verify_signature");
  return {
    count: (networks: Networks) => byNetwork.count(networks),
    async check(signed: Parameters<typeof checkSignature>[1]): Promise<Signature> {
      const signature = await checkSignature(services, signed);
      // Rows were lost, a key was stolen, or the register was edited: none of it is the visitor's doing.
      if (signature.verdict === "no record") log.warn({ company: signature.company }, "signed code without a record");
      if (signature.verdict === "contradicts")
        log.warn(
          { document: signed.document?.id, differs: signature.differs.map(({ field }) => field) },
          "signed code contradicts its record",
        );
      return signature;
    },
  };
}
