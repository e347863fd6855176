import { readFile } from "node:fs/promises";
import type { Report } from "#lib/page-files/reports/report-pdf.ts";
import { signatureRoom, signDigest, signerName } from "#lib/seal/cms.ts";
import { sealInPlace } from "#lib/seal/signed-file.ts";
import { withWorkFile } from "#lib/storage/files/work-file.ts";
import type { Actor } from "../access.ts";
import { actorRequester } from "../files/requesters.ts";
import type { Services } from "../services.ts";
import { companySigner } from "./keys/signer.ts";

/** The requester of a report, until the signal aborts. */
type Reader = { actor: Actor; signal: AbortSignal };

/**
 * A report as PDF, signed like sealed PDFs with the company's key. `make` gets the name in the certificate. It is not stored.
 * Throws `SealKeysLocked` and `OperatorKeyFailed`, and as page work does.
 */
export async function signedReport(
  services: Services,
  { actor, signal }: Reader,
  make: (signedBy: string) => Promise<Report>,
): Promise<Buffer> {
  const { files, pageFiles, timeStamp, now } = services;
  const signer = await companySigner(services, actor.company_id);
  const name = signerName(signer.chain);
  const room = signatureRoom(signer.chain, Boolean(timeStamp));
  const report = await make(name);
  return withWorkFile(files, async (path) => {
    const form = { name, at: now().toISOString(), room };
    const signature = await pageFiles.work(actorRequester(actor, signal), (jobs) =>
      jobs.report({ report, signature: form, to: path }),
    );
    await sealInPlace(
      path,
      { signature },
      { sign: async (digest) => (await signDigest(digest, signer, { room, timeStamp })).signature },
    );
    return readFile(path);
  });
}
