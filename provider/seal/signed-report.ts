import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import type { Report } from "#page-files/report-pdf.ts";
import { signatureRoom, signDigest, signerName } from "#seal/cms.ts";
import { sealInPlace } from "#seal/signed-file.ts";
import type { Services } from "../services.ts";
import { companySigner } from "./signer.ts";

/**
 * A report as PDF, signed like sealed PDFs with the company's key. `make` gets the name in the certificate. It is not stored.
 * Throws `SealKeysLocked` and `OperatorKeyFailed`.
 */
export async function signedReport(
  services: Services,
  companyId: number,
  make: (signedBy: string) => Promise<Report>,
): Promise<Buffer> {
  const { files, timeStamp, now } = services;
  const signer = await companySigner(services, companyId);
  const name = signerName(signer.chain);
  const room = signatureRoom(signer.chain, Boolean(timeStamp));
  const report = await make(name);
  const path = await files.workPath(randomUUID());
  try {
    // pdf-lib takes time to load, and few make reports.
    const { writeReport } = await import("#page-files/report-pdf.ts");
    const signature = await writeReport(report, path, { name, at: now().toISOString(), room });
    await sealInPlace(
      path,
      { signature },
      { sign: async (digest) => (await signDigest(digest, signer, { room, timeStamp })).signature },
    );
    return await readFile(path);
  } finally {
    await rm(path, { force: true });
  }
}
