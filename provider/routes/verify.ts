import type { z } from "zod";
import { metrics } from "#metrics";
import { PageWorkBusy, PageWorkFailed } from "#page-files/refusals.ts";
import { fold } from "#storage/text.ts";
import type { Networks } from "#storage/networks.ts";
import { daysInSeconds, minutesInSeconds } from "#units";
import { isAllowed, limitByKey, limitByNetwork, limitWithReserve } from "../http/rate-limits.ts";
import { readCode } from "../documents/codes.ts";
import * as contract from "../contract/verify.ts";
import { pageFileOf, pageFilesOf } from "../db/documents.ts";
import { newestVersion } from "../db/replacements.ts";
import { comparePaper } from "../documents/numbers.ts";
import { isBeingDrawn } from "../documents/open-pages.ts";
import type { On } from "../http/endpoint.ts";
import { webpReply } from "../files/images.ts";
import { companyRequester } from "../files/requesters.ts";
import { drawnPage } from "../files/derived-files.ts";
import { HttpError, notFound } from "../http/errors.ts";
import { revalidatedReply } from "../http/replies.ts";
import { documentsWithNumber, recordForgedCode, recordScan, type ShownOfPaper } from "../scans/record.ts";
import { complain, locateScan } from "../scans/report.ts";
import { alteredCode, type Finding, otherPaper } from "../scans/rules.ts";
import {
  copyWithdrawal,
  documentByCode,
  endOfValidity,
  type Scanned,
  showsPages,
  verdictOf,
} from "../scans/validity.ts";
import { checkSignature } from "../seal/signatures.ts";
import type { Services } from "../services.ts";

/** The public calls. None shows more of a document than its verification page. */
export function serveVerify(on: On, services: Services) {
  const { db, files, now } = services;
  const limits = verifyLimits(services);

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

  on(contract.verify, async ({ params, query, networks, request, onQuota }) => {
    onQuota(await limits.byNetwork.count(networks));
    const document = await findScanned(params.code, networks);
    const ended = endOfValidity(document, now());
    const paper = await comparePaper(db, document, query.number);
    const isOpen = showsPages(document, now()) && paper !== "other";
    const pages = isOpen ? await pageFilesOf(db, document.id) : [];
    return revalidatedReply(request, {
      code: document.code,
      verdict: verdictOf(ended, paper === "other", copyWithdrawal(document)),
      ...(ended && { ended }),
      ...(ended?.reason === "exited" && (await withdrawalShown(services, document))),
      ...copyShown(document),
      paper,
      company: document.company,
      branch: document.branch ?? "",
      document_type: document.document_type,
      document_subtype: document.document_subtype,
      number: document.number,
      date: document.date,
      expire_date: (!ended && document.expire_date) || "",
      pages: document.pages,
      open_pages: pages.map(({ n, pages: count }) => ({ n, pages: count })),
      preparing: isOpen && (await isBeingDrawn(db, document.id)),
      ...clockAndLanguage(document),
    } satisfies z.input<typeof contract.Verification>);
  });

  on(contract.recordScan, async ({ params, body, token, networks }) => {
    const document = await findScanned(params.code, networks).catch(async (error: unknown) => {
      if (error instanceof HttpError && error.status === 404) {
        metrics.scans.inc({ verdict: "not issued", recorded: "no" });
        await reportForgery(fold(body.number), networks);
      }
      throw error;
    });
    const isRecorded = await isAllowed(async () => {
      await limits.recordedByNetwork.count(networks, document.code);
      await limits.recorded.count(document.code, networks);
    });
    const isOther = (await comparePaper(db, document, body.number)) === "other";
    const verdict = verdictOf(endOfValidity(document, now()), isOther, copyWithdrawal(document));
    metrics.scans.inc({ verdict, recorded: isRecorded ? "yes" : "no" });
    if (!isRecorded) return { scan: "" };
    const ofPaper = await comparedPaper(services, limits, document, { ...body, isOtherPaper: isOther, networks });
    return { scan: await recordScan(services, document, { networks, token }, ofPaper) };
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
    const scan = body.scan || (await recordScan(services, document, { networks, token }));
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
}

/** Its check character says so, whatever is issued later. */
const mistyped = () =>
  new HttpError(422, "Check the fields below", {
    errors: { code: ["This code is not complete or has a wrong character: compare it with the paper"] },
    cacheSeconds: daysInSeconds(1),
  });

/** Of the issuer. */
const clockAndLanguage = ({ timezone, language }: Scanned) => ({ timezone, language });

/** Why a document was withdrawn, and what its newest version is. */
async function withdrawalShown({ db, now }: Services, { withdrawal_text, replaced_by_id, timezone }: Scanned) {
  const newest = await newestVersion(db, replaced_by_id);
  const reason = withdrawal_text ? { withdrawal_text } : {};
  if (!newest) return reason;
  const { number, document_type, document_subtype, date, expire_date } = newest;
  const ended = endOfValidity({ ...newest, timezone }, now());
  const facts = { number, document_type, document_subtype, date, expire_date: expire_date ?? "" };
  return { ...reason, replaced_by: { ...facts, ...(ended && { ended }) } };
}

/** Which copy a code is of, and what has become of it. */
function copyShown(document: Scanned) {
  const withdrawn = copyWithdrawal(document);
  return { copy: document.copy, copies: document.copies, ...(withdrawn && { copy_withdrawn: withdrawn }) };
}

type Limits = ReturnType<typeof verifyLimits>;

type Paper = { number: string; digits: string; isOtherPaper: boolean; networks: Networks };

/** What number and signature of a paper show beside the record. */
async function comparedPaper(
  services: Services,
  limits: Limits,
  document: Scanned,
  paper: Paper,
): Promise<ShownOfPaper> {
  const { number, digits, isOtherPaper, networks } = paper;
  const signature = digits ? await checkSignature(services, { code: document.code, digits, document }) : undefined;
  const found = [isOtherPaper && otherPaper(number), signature && alteredCode(signature)];
  return {
    isOtherPaper,
    signature: signature && signature.verdict !== "confirmed" ? signature.verdict : "",
    findings: await reportedOf(limits, found, document, networks),
  };
}

/** Those findings that raise alerts: of each rule some a day. */
async function reportedOf(
  { fakesByNetwork, fakesOfCode }: Limits,
  found: (Finding | false | undefined)[],
  { code }: Scanned,
  networks: Networks,
): Promise<Finding[]> {
  const reported: Finding[] = [];
  for (const finding of found) {
    if (!finding) continue;
    const { rule } = finding;
    if (!(await isAllowed(() => fakesByNetwork.count(networks, rule)))) continue;
    if (await isAllowed(() => fakesOfCode.count(`${rule} ${code}`))) reported.push(finding);
  }
  return reported;
}

const verifyLimits = (services: Services) => ({
  byNetwork: limitByNetwork(services, ["verify_address", 300, minutesInSeconds(10)]),
  // Codes can't be guessed; this saves the work of trying.
  unknown: limitByNetwork(services, ["verify_unknown", 30, minutesInSeconds(10)]),
  forged: limitByNetwork(services, ["verify_forged", 5, daysInSeconds(1)]),
  forgedNumber: limitByKey(services, ["verify_forged_number", 20, daysInSeconds(1)]),
  fakesByNetwork: limitByNetwork(services, ["verify_fake_scan", 5, daysInSeconds(1)]),
  fakesOfCode: limitByKey(services, ["verify_fake_scan_code", 20, daysInSeconds(1)]),
  // Beyond these scans are not recorded, but verified, so that visitors can't block a genuine code.
  recordedByNetwork: limitByNetwork(services, ["verify_recorded_address", 20, minutesInSeconds(10)]),
  recorded: limitWithReserve(services, ["verify_recorded", 5000, minutesInSeconds(10)]),
  pages: limitByNetwork(services, ["verify_pages", 2000, minutesInSeconds(10)]),
  located: limitByNetwork(services, ["verify_located", 30, minutesInSeconds(10)]),
  complaintsByNetwork: limitByNetwork(services, ["verify_complaints_address", 10, minutesInSeconds(10)]),
  complaints: limitWithReserve(services, ["verify_complaints", 200, minutesInSeconds(10)]),
});

const stillPreparing = ({ retryAfter }: PageWorkBusy) =>
  new HttpError(503, "This page is still being prepared. Try again in a moment.", { retryAfter });
