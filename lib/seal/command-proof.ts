import { createHmac, timingSafeEqual } from "node:crypto";

/** The request header by which a command proves to a running server that it has its SESSION_SECRET. */
export const commandProofHeader = "x-sealdesk-command";

export const commandProof = (secret: string) => createHmac("sha256", secret).update("command").digest("base64url");

export function isCommandProof(proof: string, secrets: string[]): boolean {
  const given = Buffer.from(proof);
  const ours = secrets.map((secret) => Buffer.from(commandProof(secret)));
  return ours.some((one) => one.length === given.length && timingSafeEqual(one, given));
}
