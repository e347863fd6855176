import { createWorkQueue } from "#lib/storage/limits/work-queue.ts";
import { evidenceOf } from "./evidence-facts.ts";
import { evidenceReport } from "./evidence-report.ts";
import { recordDownload } from "../../audit/downloads.ts";
import { getAlertEvidence } from "../../contract/alerts.ts";
import type { On } from "../../http/endpoint.ts";
import { madePdfReply } from "../../http/file-reply.ts";
import { serviceUnavailable } from "../../http/errors.ts";
import { limitByKey } from "../../http/rate-limits.ts";
import { signedReport } from "../../seal/signed-report.ts";
import { refuseWithoutKey } from "../../seal/keys/missing-key.ts";
import type { Services } from "../../services.ts";

/** The evidence of an alert as a signed PDF. */
export function serveAlertEvidence(on: On, services: Services) {
  const byUser = limitByKey(services, "alert_evidence");
  /** A few at a time: each holds its whole PDF. */
  const drawing = createWorkQueue({
    concurrency: 4,
    maxWaiting: 8,
    refuse: () => serviceUnavailable("Many PDFs are being made. Try again in a minute", 60),
  });

  on(getAlertEvidence, async ({ actor, params, ...by }) => {
    const { signal } = by.request;
    const evidence = await evidenceOf(services, actor, params.id);
    await byUser.count(String(actor.id));
    const draw = () => signedReport(services, { actor, signal }, (signedBy) => evidenceReport(evidence, signedBy));
    const pdf = await drawing.run(draw, { signal }).catch(refuseWithoutKey(services));
    const { alert, document } = evidence;
    const subject = { id: alert.document_id!, name: document.name };
    recordDownload(services, actor, { document: subject, file: `Evidence of ${alert.number}` }, by);
    return madePdfReply(pdf, `${alert.number} evidence.pdf`);
  });
}
