import { evidenceOf } from "./evidence-facts.ts";
import { evidenceReport } from "./evidence-report.ts";
import { recordDownload } from "../../audit/downloads.ts";
import { getAlertEvidence } from "../../contract/alerts.ts";
import type { On } from "../../http/endpoint.ts";
import { madePdfReply } from "../../http/file-reply.ts";
import { createReports } from "../../seal/signed-report.ts";
import type { Services } from "../../services.ts";

/** The evidence of an alert as a signed PDF. */
export function serveAlertEvidence(on: On, services: Services) {
  const reports = createReports(services);

  on(getAlertEvidence, async ({ actor, params, ...by }) => {
    const { signal } = by.request;
    const evidence = await evidenceOf(services, actor, params.id);
    const pdf = await reports({ actor, signal }, (signedBy) => evidenceReport(evidence, signedBy));
    const { alert, document } = evidence;
    const subject = { id: alert.document_id!, name: document.name };
    recordDownload(services, actor, { document: subject, file: `Evidence of ${alert.number}` }, by);
    return madePdfReply(pdf, `${alert.number} evidence.pdf`);
  });
}
