import { create as contentDisposition } from "content-disposition";
import { metrics } from "#lib/metrics.ts";
import type { Networks } from "#lib/storage/limits/networks.ts";
import * as contract from "../contract/verify.ts";
import { visitorsPage } from "../documents/document-file-replies.ts";
import { comparePaper, numberColumns } from "../documents/numbers.ts";
import { documentProof } from "../log/proofs.ts";
import type { On } from "../http/endpoint.ts";
import { fileHeaders } from "../http/file-reply.ts";
import { HttpError, notFound } from "../http/errors.ts";
import { isAllowed } from "../http/rate-limits.ts";
import { revalidatedReply } from "../http/replies.ts";
import { documentsWithNumber, recordForgedCode, recordScan } from "./record.ts";
import { complain, locateScan } from "./report.ts";
import type { ScanService } from "./scan-service.ts";
import { verificationOf } from "./scan-view.ts";
import { type Scanned, showsPages } from "./validity.ts";
import type { Services } from "../services.ts";

/** The public calls. None shows more of a document than its verification page. */
export function serveVerify(on: On, services: Services, { limits, groups, findScanned, record }: ScanService) {
  const { db, now } = services;

  /** Raises alerts for an unissued code with a correct check character, typed beside a real document number. */
  async function reportForgery(number: string, networks: Networks) {
    const documents = await documentsWithNumber(db, number);
    if (documents.length === 0 || !(await isAllowed(() => limits.forged.count(networks)))) return;
    if (await isAllowed(() => limits.forgedNumber.count(number))) await recordForgedCode(services, documents);
  }

  on(contract.verify, async ({ params, query, networks, hostCompany, request, onQuota }) => {
    onQuota(await limits.byNetwork.count(networks));
    const document = await findScanned(params.code, { networks, hostCompany });
    const paper = await comparePaper(db, document, query);
    return revalidatedReply(request, await verificationOf(services, document, paper));
  });

  on(contract.recordScan, async ({ params, body, token, networks, hostCompany }) => {
    const document = await findScanned(params.code, { networks, hostCompany }).catch(async (error: unknown) => {
      if (error instanceof HttpError && error.status === 404) {
        metrics.scans.inc({ verdict: "not issued", recorded: "no" });
        await reportForgery(numberColumns(body.number).number_read, networks);
      }
      throw error;
    });
    const isOther = (await comparePaper(db, document, body)) === "other";
    return { scan: await record(document, { networks, token }, { ...body, isOtherPaper: isOther }) };
  });

  on(contract.locateScan, async ({ params, body, networks, hostCompany }) => {
    const document = await findScanned(params.code, { networks, hostCompany });
    await limits.located.count(networks);
    await locateScan(services, document, body.scan, body);
  });

  on(contract.complain, async ({ params, body, token, networks, hostCompany }) => {
    const document = await findScanned(params.code, { networks, hostCompany });
    await limits.complaintsByNetwork.count(networks);
    await limits.complaints.count(document.code, networks);
    // A complaint records its scan if the limit prevented that.
    const scan = body.scan || (await recordScan(services, groups, document, { origin: { networks, token } }));
    await complain(services, document, scan, body);
  });

  on(contract.getLogProof, async ({ params, query, networks, hostCompany }) => {
    await limits.byNetwork.count(networks);
    return logProof(services, await findScanned(params.code, { networks, hostCompany }), query.entry);
  });

  on(contract.getOpenPage, async ({ params, query, networks, hostCompany, request }) => {
    await limits.pages.count(networks);
    const document = await findScanned(params.code, { networks, hostCompany });
    if (!showsPages(document, now())) throw notFound();
    return visitorsPage(services, document, { ...params, ...query, signal: request.signal });
  });
}

async function logProof(services: Services, { id, code }: Pick<Scanned, "id" | "code">, which: "first" | "newest") {
  const proof = await documentProof(services, id, which);
  if (!proof) throw notFound();
  return new Response(proof.file, {
    headers: {
      ...fileHeaders,
      "content-type": "text/plain",
      "content-disposition": contentDisposition(`${code}${which === "newest" ? ".newest" : ""}.tlog-proof`),
    },
  });
}
