import { metrics } from "#metrics";
import { PageWorkBusy, PageWorkFailed } from "#page-files/refusals.ts";
import { fold } from "#storage/text.ts";
import type { Networks } from "#storage/networks.ts";
import { daysInSeconds, minutesInSeconds } from "#units";
import { isAllowed, limitByKey, limitByNetwork, limitWithReserve } from "../http/rate-limits.ts";
import { readCode } from "../documents/codes.ts";
import * as contract from "../contract/verify.ts";
import { pageFileOf, pageFilesOf } from "../db/documents.ts";
import { isBeingDrawn, openToAll } from "../documents/open-pages.ts";
import type { On } from "../http/endpoint.ts";
import { webpReply } from "../files/images.ts";
import { companyRequester } from "../files/requesters.ts";
import { drawnPage } from "../files/derived-files.ts";
import { HttpError, invalid, notFound } from "../http/errors.ts";
import { complain, documentsWithNumber, locateScan, recordForgedCode, recordScan } from "../scans/scans.ts";
import { documentByCode, endOfValidity, type Scanned } from "../scans/validity.ts";
import type { Services } from "../services.ts";

/** The stranger's calls. None tells more of a document than its public page shows. */
export function serveVerify(on: On, services: Services) {
  const { db, files, now } = services;
  const limits = {
    byNetwork: limitByNetwork(services, ["verify_address", 300, minutesInSeconds(10)]),
    // Guessing codes is hopeless anyway; this keeps the machine free.
    unknown: limitByNetwork(services, ["verify_unknown", 30, minutesInSeconds(10)]),
    forged: limitByNetwork(services, ["verify_forged", 5, daysInSeconds(1)]),
    forgedNumber: limitByKey(services, ["verify_forged_number", 20, daysInSeconds(1)]),
    // Beyond these a code is still answered: nobody can lock a genuine one out. Scans are just no longer kept.
    keptByNetwork: limitByNetwork(services, ["verify_kept_address", 20, minutesInSeconds(10)]),
    kept: limitWithReserve(services, ["verify_kept", 5000, minutesInSeconds(10)]),
    pages: limitByNetwork(services, ["verify_pages", 2000, minutesInSeconds(10)]),
    located: limitByNetwork(services, ["verify_located", 30, minutesInSeconds(10)]),
    complaintsByNetwork: limitByNetwork(services, ["verify_complaints_address", 10, minutesInSeconds(10)]),
    complaints: limitWithReserve(services, ["verify_complaints", 200, minutesInSeconds(10)]),
  };

  /** The document that was scanned. */
  async function scanned(typed: string, networks: Networks): Promise<Scanned> {
    const code = readCode(typed);
    if (!code) throw invalid({ code: "This code is not complete or has a wrong character: compare it with the paper" });
    const document = await documentByCode(db, code);
    if (document) return document;
    await limits.unknown.count(networks);
    throw notFound();
  }

  /** Notes a code in good form that was never issued, beside a number that was: no slip of the finger makes one. */
  async function noteForgery(number: string, networks: Networks) {
    const documents = await documentsWithNumber(db, number);
    if (documents.length === 0 || !(await isAllowed(() => limits.forged.count(networks)))) return;
    if (await isAllowed(() => limits.forgedNumber.count(number))) await recordForgedCode(services, documents);
  }

  on(contract.verify, async ({ params, networks }) => {
    await limits.byNetwork.count(networks);
    const document = await scanned(params.code, networks);
    const ended = endOfValidity(document, now());
    const isOpen = document.access_type === openToAll && !ended;
    const pages = isOpen ? await pageFilesOf(db, document.id) : [];
    return {
      code: document.code,
      verdict: ended ? ("ended" as const) : ("in force" as const),
      ...(ended && { ended }),
      company: document.company,
      branch: document.branch ?? "",
      document_type: document.document_type,
      document_subtype: document.document_subtype,
      number: document.number,
      date: document.date,
      expire_date: document.expire_date ?? "",
      pages: document.pages,
      open_pages: pages.map(({ n, pages: count }) => ({ n, pages: count })),
      preparing: isOpen && (await isBeingDrawn(db, document.id)),
      timezone: document.timezone,
    };
  });

  on(contract.recordScan, async ({ params, body, token, networks }) => {
    const document = await scanned(params.code, networks).catch(async (error: unknown) => {
      if (error instanceof HttpError && error.status === 404) {
        metrics.scans.inc({ verdict: "not issued", kept: "no" });
        await noteForgery(fold(body.number), networks);
      }
      throw error;
    });
    const isKept = await isAllowed(async () => {
      await limits.keptByNetwork.count(networks, document.code);
      await limits.kept.count(document.code, networks);
    });
    const verdict = endOfValidity(document, now()) ? "ended" : "in force";
    metrics.scans.inc({ verdict, kept: isKept ? "yes" : "no" });
    return { scan: isKept ? await recordScan(services, document, { networks, token }) : "" };
  });

  on(contract.locateScan, async ({ params, body, networks }) => {
    const document = await scanned(params.code, networks);
    await limits.located.count(networks);
    await locateScan(services, document, body.scan, body);
  });

  on(contract.complain, async ({ params, body, token, networks }) => {
    const document = await scanned(params.code, networks);
    await limits.complaintsByNetwork.count(networks);
    await limits.complaints.count(document.code, networks);
    // Where too many scans came for this one to be recorded, its complaint brings it.
    const scan = body.scan || (await recordScan(services, document, { networks, token }));
    await complain(services, document, scan, body);
  });

  on(contract.getOpenPage, async ({ params, query, networks, request }) => {
    await limits.pages.count(networks);
    const document = await scanned(params.code, networks);
    if (document.access_type !== openToAll || endOfValidity(document, now())) throw notFound();
    const file = await pageFileOf(db, document.id, params.n);
    if (!file || query.page > file.pages) throw notFound();
    const requester = companyRequester(document.company_id, "public", request.signal);
    const { folder } = document;
    const drawn = drawnPage(services, requester, { folder, file, page: query.page, size: "large" });
    const key = await drawn.catch((error: unknown) => {
      if (error instanceof PageWorkFailed) throw new HttpError(422, "This page can’t be shown.");
      throw error instanceof PageWorkBusy ? stillPrepared(error) : error;
    });
    return webpReply(files, key, "private, max-age=60");
  });
}

const stillPrepared = ({ retryAfter }: PageWorkBusy) =>
  new HttpError(503, "This page is still being prepared. Try again in a moment.", { retryAfter });
