import type { z } from "zod";
import { startAtZero } from "#lib/metric-kinds.ts";
import { metrics } from "#lib/metrics.ts";
import type { Networks } from "#lib/storage/limits/networks.ts";
import { daysInSeconds } from "#lib/units.ts";
import { type Verification, verdicts } from "../contract/verify.ts";
import { readCode } from "../documents/codes.ts";
import { HttpError, notFound } from "../http/errors.ts";
import { isAllowed } from "../http/rate-limits.ts";
import { signatureChecks } from "../seal/signature-checks.ts";
import type { Signature } from "../seal/signatures.ts";
import type { Services } from "../services.ts";
import { createScanGroups, tooBusy } from "./groups.ts";
import { verifyLimits } from "./limits.ts";
import { checkPaper, type PaperClaims } from "./number-check.ts";
import { recordScan, type ScanOrigin } from "./record.ts";
import { verificationOf } from "./scan-view.ts";
import { copyWithdrawal, documentByCode, endOfValidity, type Scanned, verdictOf } from "./validity.ts";

startAtZero(metrics.scans, { verdict: [...verdicts, "not issued"], recorded: ["yes", "no"] });

/** The steps that the calls about a code and the pages of codes share. */
export function createScanService(services: Services) {
  const { db, now } = services;
  const limits = verifyLimits(services);
  const groups = createScanGroups(services);
  const signatures = signatureChecks(services);

  /** The document of a code. Throws 422 for a mistyped code, 404 for an unissued one. */
  async function findScanned(
    typed: string,
    { networks, hostCompany }: { networks: Networks; hostCompany: number | undefined },
  ): Promise<Scanned> {
    const code = readCode(typed);
    if (!code) throw mistyped();
    const document = await documentByCode(db, code, hostCompany);
    if (document) return document;
    await limits.unknown.count(networks);
    throw notFound();
  }

  /** Stores a scan unless there were too many: then its key is empty. */
  async function record(document: Scanned, origin: ScanOrigin, paper: Omit<PaperClaims, "networks">) {
    const { networks } = origin;
    const isRecorded = await isAllowed(async () => {
      await limits.recordedByNetwork.count(networks, document.code);
      await limits.recorded.count(document.code, networks);
    });
    const verdict = verdictOf(endOfValidity(document, now()), paper.isOtherPaper, copyWithdrawal(document));
    metrics.scans.inc({ verdict, recorded: isRecorded ? "yes" : "no" });
    if (!isRecorded) return "";
    const paperCheck = await checkPaper(services, limits, document, { ...paper, networks });
    return recordScan(services, groups, document, { origin, paperCheck });
  }

  return {
    limits,
    groups,
    findScanned,
    record,
    /** `verify`, `checkSignature` and `recordScan` with one read of the document. Throws as `verify` does. */
    async openCode({ code, digits, hostCompany }: Opened, origin: ScanOrigin): Promise<OpenedCode> {
      const { networks } = origin;
      if (groups.isFull()) throw tooBusy();
      await limits.byNetwork.count(networks);
      const document = await findScanned(code, { networks, hostCompany });
      const isChecked = digits !== "" && (await isAllowed(() => signatures.count(networks)));
      const signature = isChecked
        ? await signatures.check({ code: document.code, digits, document, hostCompany })
        : undefined;
      const verification = await verificationOf(services, document, "");
      const paper = { number: "", digits, signature, isOtherPaper: false };
      const scan = await record(document, origin, paper).catch((err: unknown) => {
        // The verdict stands whether or not its scan was recorded.
        services.log.error({ err }, "a scan could not be stored");
        return "";
      });
      return { verification, signature, scan };
    },
  };
}

export type ScanService = ReturnType<typeof createScanService>;

type Opened = { code: string; digits: string; hostCompany: number | undefined };

export type OpenedCode = {
  verification: z.input<typeof Verification>;
  /** Undefined for a plain code, and above the rate limit. */
  signature: Signature | undefined;
  /** Empty if no scan was stored. */
  scan: string;
};

/** Cached, as the check character stays wrong whatever is issued later. */
const mistyped = () =>
  new HttpError(422, "Check the fields below", {
    errors: { code: ["This code is not complete or has a wrong character: compare it with the paper"] },
    cacheSeconds: daysInSeconds(1),
  });
