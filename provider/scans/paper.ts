import type { Networks } from "#lib/storage/limits/networks.ts";
import { isAllowed } from "../http/rate-limits.ts";
import { checkSignature, type Signature } from "../seal/signatures.ts";
import type { Services } from "../services.ts";
import type { VerifyLimits } from "./limits.ts";
import type { ShownOfPaper } from "./record.ts";
import { alteredCode, type Finding, otherPaper } from "./judging/rules.ts";
import type { Scanned } from "./validity.ts";

export type Paper = {
  number: string;
  digits: string;
  /** Of these digits, if it was checked already. */
  signature?: Signature | undefined;
  isOtherPaper: boolean;
  networks: Networks;
};

/** What number and signature of a paper show beside the record. */
export async function comparedPaper(
  services: Services,
  limits: VerifyLimits,
  document: Scanned,
  paper: Paper,
): Promise<ShownOfPaper> {
  const { number, digits, isOtherPaper, networks } = paper;
  const checked = () => checkSignature(services, { code: document.code, digits, document });
  const signature = digits ? (paper.signature ?? (await checked())) : undefined;
  const found = [isOtherPaper && otherPaper(number), signature && alteredCode(signature)];
  return {
    isOtherPaper,
    signature: signature && signature.verdict !== "confirmed" ? signature.verdict : "",
    findings: await reportedOf(limits, found, document, networks),
  };
}

/** Those findings that raise alerts: of each rule some a day. */
async function reportedOf(
  { fakesByNetwork, fakesOfCode }: VerifyLimits,
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
