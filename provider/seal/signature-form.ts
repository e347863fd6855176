import { signatureRoom, signerName } from "#lib/seal/cms.ts";
import type { Services } from "../services.ts";
import type { CompanySigner } from "./keys/signer.ts";

/**
 * What a PDF states of a signature before it is signed, with what verifies it later if there are time stamps; and what
 * stamps it.
 */
export async function signatureForm({ timeStamp, evidence, now }: Services, signer: CompanySigner) {
  const collected = await evidence?.(signer);
  const base64 = (all: Buffer[]) => all.map((der) => der.toString("base64"));
  const form = {
    name: signerName(signer.chain),
    at: now().toISOString(),
    room: signatureRoom(signer.chain, Boolean(timeStamp)),
    evidence: collected && {
      certificates: base64(collected.certificates),
      revocationLists: base64(collected.revocationLists),
    },
  };
  return { form, stamp: timeStamp && ((signature: Uint8Array) => timeStamp(signature, collected)) };
}
