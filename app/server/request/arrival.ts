import { config } from "#lib/config.ts";
import { commandProofHeader, isCommandProof } from "#lib/seal/command-proof.ts";
import { version } from "../process/version.ts";
import { clientAddress } from "./client-address.ts";

/** How a request of the command `doctor` arrived through the proxies; undefined for all others. */
export function arrivalOf(request: Request): Response | undefined {
  const proof = request.headers.get(commandProofHeader);
  if (!proof || !isCommandProof(proof, config().SESSION_SECRET)) return undefined;
  const forwarded = request.headers.get("x-forwarded-for")?.slice(0, 2000) ?? "";
  return Response.json({
    version,
    host: request.headers.get("host"),
    forwarded: forwarded.split(",").flatMap((address) => address.trim() || []),
    client: clientAddress(request),
  });
}
