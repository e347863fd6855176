import { readFile } from "node:fs/promises";
import type { Report } from "#lib/page-files/reports/report-pdf.ts";
import { signDigest } from "#lib/seal/cms.ts";
import { sealInPlace } from "#lib/seal/signed-file.ts";
import { withWorkFile } from "#lib/storage/files/work-file.ts";
import { createWorkQueue } from "#lib/storage/limits/work-queue.ts";
import type { Actor } from "../access.ts";
import { actorRequester } from "../files/requesters.ts";
import { serviceUnavailable } from "../http/errors.ts";
import { limitByKey } from "../http/rate-limits.ts";
import type { Services } from "../services.ts";
import { refuseWithoutKey } from "./keys/missing-key.ts";
import { signatureForm } from "./signature-form.ts";
import { companySigner } from "./keys/signer.ts";

/** Makes signed reports for users, each a few in some minutes. */
export function createReports(services: Services) {
  const byUser = limitByKey(services, "alert_evidence");
  /** A few at a time: each holds its whole PDF. */
  const drawing = createWorkQueue({
    concurrency: 4,
    maxWaiting: 8,
    refuse: () => serviceUnavailable("Many PDFs are being made. Try again in a minute", 60),
  });
  return async (reader: Reader, make: Make) => {
    await byUser.count(String(reader.actor.id));
    const { signal } = reader;
    return drawing.run(() => signedReport(services, reader, make), { signal }).catch(refuseWithoutKey(services));
  };
}

/** The requester of a report, until the signal aborts. */
type Reader = { actor: Actor; signal: AbortSignal };
type Make = (signedBy: string) => Promise<Report>;

/**
 * A report as PDF, signed like sealed PDFs with the company's key. `make` gets the name in the certificate. It is not stored.
 * Throws `SealKeysLocked` and `OperatorKeyFailed`, and as page work does.
 */
async function signedReport(services: Services, { actor, signal }: Reader, make: Make): Promise<Buffer> {
  const { files, pageFiles } = services;
  const signer = await companySigner(services, actor.company_id);
  const { form: signature, stamp: timeStamp } = await signatureForm(services, signer);
  const { room } = signature;
  const report = await make(signature.name);
  return withWorkFile(files, async (path) => {
    const space = await pageFiles.work(actorRequester(actor, signal), (jobs) =>
      jobs.report({ report, signature, to: path }),
    );
    await sealInPlace(
      path,
      { signature: space },
      { sign: async (digest) => (await signDigest(digest, signer, { room, timeStamp })).signature },
    );
    return readFile(path);
  });
}
