import { recordDownload } from "../../audit/downloads.ts";
import { getReceipt } from "../../contract/document-files.ts";
import type { On } from "../../http/endpoint.ts";
import { madePdfReply } from "../../http/file-reply.ts";
import { createReports } from "../../seal/signed-report.ts";
import type { Services } from "../../services.ts";
import { receiptOf } from "./receipt-facts.ts";
import { receiptReport } from "./receipt-report.ts";

/** A document's receipt as a signed PDF. */
export function serveReceipts(on: On, services: Services) {
  const reports = createReports(services);

  on(getReceipt, async ({ actor, params, ...by }) => {
    const { signal } = by.request;
    const receipt = await receiptOf(services, actor, params.id);
    const pdf = await reports({ actor, signal }, (signedBy) => receiptReport(receipt, signedBy));
    recordDownload(services, actor, { document: receipt.document, file: "Receipt" }, by);
    return madePdfReply(pdf, `${receipt.document.number} receipt.pdf`);
  });
}
