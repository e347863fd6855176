import type { z } from "zod";
import { metrics } from "#metrics";
import { PageWorkBusy, PageWorkFailed } from "#page-files/refusals.ts";
import { fold } from "#storage/text.ts";
import type { Networks } from "#storage/networks.ts";
import { daysInSeconds } from "#units";
import { isAllowed } from "../http/rate-limits.ts";
import { readCode } from "../documents/codes.ts";
import * as contract from "../contract/verify.ts";
import { pageFileOf } from "../db/documents.ts";
import { comparePaper } from "../documents/numbers.ts";
import type { On } from "../http/endpoint.ts";
import { webpReply } from "../files/images.ts";
import { companyRequester } from "../files/requesters.ts";
import { drawnPage } from "../files/derived-files.ts";
import { HttpError, notFound } from "../http/errors.ts";
import { revalidatedReply } from "../http/replies.ts";
import { createScanGroups, tooBusy } from "../scans/groups.ts";
import { verifyLimits } from "../scans/limits.ts";
import { comparedPaper, type Paper } from "../scans/paper.ts";
import { documentsWithNumber, recordForgedCode, recordScan, type ScanOrigin } from "../scans/record.ts";
import { complain, locateScan } from "../scans/report.ts";
import { shownOf } from "../scans/shown.ts";
import {
  copyWithdrawal,
  documentByCode,
  endOfValidity,
  type Scanned,
  showsPages,
  verdictOf,
} from "../scans/validity.ts";
import { signatureChecks } from "../seal/signature-checks.ts";
import type { Signature } from "../seal/signatures.ts";
import type { Services } from "../services.ts";

/** The public calls. None shows more of a document than its verification page. */
export function serveVerify(on: On, services: Services) {
  const { db, files, now } = services;
  const limits = verifyLimits(services);
  const groups = createScanGroups(services);
  const signatures = signatureChecks(services);

  /** The document of a code. Throws 422 for a mistyped code, 404 for an unissued one. */
  async function findScanned(typed: string, networks: Networks): Promise<Scanned> {
    const code = readCode(typed);
    if (!code) throw mistyped();
    const document = await documentByCode(db, code);
    if (document) return document;
    await limits.unknown.count(networks);
    throw notFound();
  }

  /** Raises alerts for an unissued code with a correct check character, typed beside a real document number. */
  async function reportForgery(number: string, networks: Networks) {
    const documents = await documentsWithNumber(db, number);
    if (documents.length === 0 || !(await isAllowed(() => limits.forged.count(networks)))) return;
    if (await isAllowed(() => limits.forgedNumber.count(number))) await recordForgedCode(services, documents);
  }

  /** Stores a scan unless there were too many: then its key is empty. */
  async function record(document: Scanned, origin: ScanOrigin, paper: Omit<Paper, "networks">) {
    const { networks } = origin;
    const isRecorded = await isAllowed(async () => {
      await limits.recordedByNetwork.count(networks, document.code);
      await limits.recorded.count(document.code, networks);
    });
    const verdict = verdictOf(endOfValidity(document, now()), paper.isOtherPaper, copyWithdrawal(document));
    metrics.scans.inc({ verdict, recorded: isRecorded ? "yes" : "no" });
    if (!isRecorded) return "";
    const shown = await comparedPaper(services, limits, document, { ...paper, networks });
    return recordScan(services, groups, document, { origin, shown });
  }

  on(contract.verify, async ({ params, query, networks, request, onQuota }) => {
    onQuota(await limits.byNetwork.count(networks));
    const document = await findScanned(params.code, networks);
    const paper = await comparePaper(db, document, query.number);
    return revalidatedReply(request, await shownOf(services, document, paper));
  });

  on(contract.recordScan, async ({ params, body, token, networks }) => {
    const document = await findScanned(params.code, networks).catch(async (error: unknown) => {
      if (error instanceof HttpError && error.status === 404) {
        metrics.scans.inc({ verdict: "not issued", recorded: "no" });
        await reportForgery(fold(body.number), networks);
      }
      throw error;
    });
    const isOther = (await comparePaper(db, document, body.number)) === "other";
    return { scan: await record(document, { networks, token }, { ...body, isOtherPaper: isOther }) };
  });

  on(contract.locateScan, async ({ params, body, networks }) => {
    const document = await findScanned(params.code, networks);
    await limits.located.count(networks);
    await locateScan(services, document, body.scan, body);
  });

  on(contract.complain, async ({ params, body, token, networks }) => {
    const document = await findScanned(params.code, networks);
    await limits.complaintsByNetwork.count(networks);
    await limits.complaints.count(document.code, networks);
    // A complaint records its scan where the limit prevented that.
    const scan = body.scan || (await recordScan(services, groups, document, { origin: { networks, token } }));
    await complain(services, document, scan, body);
  });

  on(contract.getOpenPage, async ({ params, query, networks, request }) => {
    await limits.pages.count(networks);
    const document = await findScanned(params.code, networks);
    if (!showsPages(document, now())) throw notFound();
    const file = await pageFileOf(db, document.id, params.n);
    if (!file || query.page > file.pages) throw notFound();
    const requester = companyRequester(document.company_id, "public", request.signal);
    const { folder } = document;
    const drawn = drawnPage(services, requester, { folder, file, page: query.page, size: "large" });
    const key = await drawn.catch((error: unknown) => {
      if (error instanceof PageWorkFailed) throw new HttpError(422, "This page can’t be shown.");
      throw error instanceof PageWorkBusy ? stillPreparing(error) : error;
    });
    return webpReply(files, key, "private, max-age=60");
  });

  return {
    /** `verify`, `checkSignature` and `recordScan` by one look at the document. Throws as `verify` does. */
    async openCode({ code, digits }: { code: string; digits: string }, origin: ScanOrigin): Promise<OpenedCode> {
      const { networks } = origin;
      if (groups.isFull()) throw tooBusy();
      await limits.byNetwork.count(networks);
      const document = await findScanned(code, networks);
      const isChecked = digits !== "" && (await isAllowed(() => signatures.count(networks)));
      const signature = isChecked ? await signatures.check({ code: document.code, digits, document }) : undefined;
      const shown = await shownOf(services, document, "");
      const paper = { number: "", digits, signature, isOtherPaper: false };
      const scan = await record(document, origin, paper).catch((err: unknown) => {
        // The verdict stands whether or not its scan was recorded.
        services.log.error({ err }, "a scan could not be stored");
        return "";
      });
      return { shown, signature, scan };
    },
  };
}

export type OpenedCode = {
  shown: z.input<typeof contract.Verification>;
  /** Undefined for a plain code, and where too many were checked. */
  signature: Signature | undefined;
  /** Empty where no scan was stored. */
  scan: string;
};

/** Its check character says so, whatever is issued later. */
const mistyped = () =>
  new HttpError(422, "Check the fields below", {
    errors: { code: ["This code is not complete or has a wrong character: compare it with the paper"] },
    cacheSeconds: daysInSeconds(1),
  });

const stillPreparing = ({ retryAfter }: PageWorkBusy) =>
  new HttpError(503, "This page is still being prepared. Try again in a moment.", { retryAfter });
