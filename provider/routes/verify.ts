import { figures } from "#metrics";
import { PageWorkBusy, PageWorkFailed } from "#page-files/refusals.ts";
import { fold } from "#storage/database.ts";
import { countAttempt } from "../attempts.ts";
import { readCode } from "../codes.ts";
import * as contract from "../contract/verify.ts";
import { pageFileOf, pageFilesOf } from "../db/documents.ts";
import { isBeingDrawn, openToAll } from "../documents/open-pages.ts";
import type { On } from "../endpoint.ts";
import { webpReply } from "../images.ts";
import { ofCompany } from "../page-work.ts";
import { drawnPage } from "../pages/made-files.ts";
import { Refused, invalid, notFound } from "../refused.ts";
import { complain, locateScan, noteForgedCode, recordScan } from "../scans/scans.ts";
import { documentByCode, endOf, type Scanned } from "../scans/standing.ts";
import type { Services } from "../services.ts";

const tenMinutes = 10 * 60;

/** The stranger's calls. None tells more of a document than its public page shows. */
export function serveVerify(on: On, services: Services) {
  const { db, files, now, limiter } = services;
  const attempts = {
    byAddress: limiter("verify_address", 300, tenMinutes),
    // Guessing codes is hopeless anyway; this keeps the machine free.
    unknown: limiter("verify_unknown", 30, tenMinutes),
    // Beyond these a code is still answered: nobody can lock a genuine one out. Scans are just no longer kept.
    keptByAddress: limiter("verify_kept_address", 20, tenMinutes),
    kept: limiter("verify_kept", 5000, tenMinutes),
    pages: limiter("verify_pages", 2000, tenMinutes),
    told: limiter("verify_told", 30, tenMinutes),
  };

  /** The document that was scanned. */
  async function scanned(typed: string, clientAddress: string): Promise<Scanned> {
    const code = readCode(typed);
    if (!code) throw invalid({ code: "This code is not complete or has a wrong character: compare it with the paper" });
    const document = await documentByCode(db, code);
    if (document) return document;
    await countAttempt(attempts.unknown, clientAddress);
    throw notFound();
  }

  on(contract.verify, async ({ params, clientAddress }) => {
    await countAttempt(attempts.byAddress, clientAddress);
    const document = await scanned(params.code, clientAddress);
    const ended = endOf(document, now());
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

  on(contract.recordScan, async ({ params, body, token, clientAddress }) => {
    const document = await scanned(params.code, clientAddress).catch(async (error: unknown) => {
      // A code in good form that was never issued: no slip of the finger makes one.
      if (error instanceof Refused && error.status === 404) {
        figures.scans.inc({ verdict: "not issued", kept: "no" });
        await noteForgedCode(services, fold(body.number));
      }
      throw error;
    });
    const isKept = await isAllowed(async () => {
      await countAttempt(attempts.keptByAddress, `${document.code} ${clientAddress}`);
      await countAttempt(attempts.kept, document.code);
    });
    const verdict = endOf(document, now()) ? "ended" : "in force";
    figures.scans.inc({ verdict, kept: isKept ? "yes" : "no" });
    return { scan: isKept ? await recordScan(services, document, { clientAddress, token }) : "" };
  });

  on(contract.locateScan, async ({ params, body, clientAddress }) => {
    const document = await scanned(params.code, clientAddress);
    await countAttempt(attempts.told, clientAddress);
    await locateScan(services, document, body.scan, body);
  });

  on(contract.complain, async ({ params, body, clientAddress }) => {
    const document = await scanned(params.code, clientAddress);
    await countAttempt(attempts.told, clientAddress);
    await complain(services, document, body.scan, body);
  });

  on(contract.getOpenPage, async ({ params, query, clientAddress, request }) => {
    await countAttempt(attempts.pages, clientAddress);
    const document = await scanned(params.code, clientAddress);
    if (document.access_type !== openToAll || endOf(document, now())) throw notFound();
    const file = await pageFileOf(db, document.id, params.n);
    if (!file || query.page > file.pages) throw notFound();
    const requester = ofCompany(document.company_id, "public", request.signal);
    const { folder } = document;
    const drawn = drawnPage(services, requester, { folder, file, page: query.page, size: "large" });
    const key = await drawn.catch((error: unknown) => {
      if (error instanceof PageWorkFailed) throw new Refused(422, "This page can’t be shown.");
      throw error instanceof PageWorkBusy ? stillPrepared(error) : error;
    });
    return webpReply(files, key, 60);
  });
}

const stillPrepared = ({ retryAfter }: PageWorkBusy) =>
  new Refused(503, "This page is still being prepared. Try again in a moment.", { retryAfter });

/** Whether attempts are still allowed; what else goes wrong is thrown on. */
async function isAllowed(count: () => Promise<void>): Promise<boolean> {
  try {
    await count();
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}
