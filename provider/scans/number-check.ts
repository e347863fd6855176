import type { Networks } from "#lib/storage/limits/networks.ts";
import { isAllowed } from "../http/rate-limits.ts";
import { checkSignature, type Signature } from "../seal/signatures.ts";
import type { Services } from "../services.ts";
import type { VerifyLimits } from "./limits.ts";
import type { PaperCheck } from "./record.ts";
import { alteredCode, type Finding, otherPaper } from "./judging/rules.ts";
import type { Scanned } from "./validity.ts";

export type PaperClaims = {
  number: string;
  digits: string;
  /** Of these digits, if it was checked already. */
  signature?: Signature | undefined;
  isOtherPaper: boolean;
  networks: Networks;
};

/** Compares the number and signature on a paper with the record. */
export async function checkPaper(
  services: Services,
  limits: VerifyLimits,
  document: Scanned,
  paper: PaperClaims,
): Promise<PaperCheck> {
  const { number, digits, isOtherPaper, networks } = paper;
  const checked = () => checkSignature(services, { code: document.code, digits, document, hostCompany: undefined });
  const signature = digits ? (paper.signature ?? (await checked())) : undefined;
  const findings = [isOtherPaper && otherPaper(number), signature && alteredCode(signature)];
  return {
    isOtherPaper,
    signature: signature && signature.verdict !== "confirmed" ? signature.verdict : "",
    findings: await withinDailyLimits(limits, findings, document, networks),
  };
}

/** The findings that raise alerts: of each rule some a day. */
async function withinDailyLimits(
  { fakesByNetwork, fakesOfCode }: VerifyLimits,
  findings: (Finding | false | undefined)[],
  { code }: Scanned,
  networks: Networks,
): Promise<Finding[]> {
  const reported: Finding[] = [];
  for (const finding of findings) {
    if (!finding) continue;
    const { rule } = finding;
    if (!(await isAllowed(() => fakesByNetwork.count(networks, rule)))) continue;
    if (await isAllowed(() => fakesOfCode.count(`${rule} ${code}`))) reported.push(finding);
  }
  return reported;
}
