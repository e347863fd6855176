import { create as contentDisposition } from "content-disposition";
import PQueue from "p-queue";
import { minutesInSeconds } from "#units";
import { evidenceOf } from "../alerts/evidence-facts.ts";
import { evidenceReport } from "../alerts/evidence-report.ts";
import { recordDownload } from "../audit/downloads.ts";
import { getAlertEvidence } from "../contract/alerts.ts";
import type { On } from "../http/endpoint.ts";
import { serviceUnavailable } from "../http/errors.ts";
import { limitByKey } from "../http/rate-limits.ts";
import { signedReport } from "../seal/signed-report.ts";
import { refuseWithoutKey } from "../seal/without-key.ts";
import type { Services } from "../services.ts";
import { fileHeaders } from "./document-files.ts";

const maxWaiting = 8;

/** The evidence of an alert as a signed PDF. */
export function serveAlertEvidence(on: On, services: Services) {
  const byUser = limitByKey(services, ["alert_evidence", 30, minutesInSeconds(10)]);
  /** One at a time: each holds its whole PDF. */
  const drawing = new PQueue({ concurrency: 1 });

  on(getAlertEvidence, async ({ actor, params, ...by }) => {
    const { signal } = by.request;
    const evidence = await evidenceOf(services, actor, params.id);
    await byUser.count(String(actor.id));
    if (drawing.size >= maxWaiting) throw serviceUnavailable("Many PDFs are being made. Try again in a minute", 60);
    const draw = () => signedReport(services, actor.company_id, (signedBy) => evidenceReport(evidence, signedBy));
    const pdf = await drawing.add(draw, { signal }).catch(refuseWithoutKey(services));
    const { alert, document } = evidence;
    const subject = { id: alert.document_id!, name: document.name };
    recordDownload(services, actor, { document: subject, file: `Evidence of ${alert.number}` }, by);
    const headers = {
      ...fileHeaders,
      "content-type": "application/pdf",
      "content-length": String(pdf.length),
      "content-disposition": contentDisposition(`${alert.number} evidence.pdf`),
    };
    return new Response(Uint8Array.from(pdf), { headers });
  });
}
