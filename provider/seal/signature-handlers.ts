import * as contract from "../contract/signatures.ts";
import { readCode } from "../documents/codes.ts";
import type { On } from "../http/endpoint.ts";
import { invalid } from "../http/errors.ts";
import { documentByCode } from "../scans/validity.ts";
import { signatureChecks } from "./signature-checks.ts";
import type { Services } from "../services.ts";

/** The public call behind signed codes. It shows no more of a document than its verification page and its paper. */
export function serveSignatures(on: On, services: Services) {
  const signatures = signatureChecks(services);

  on(contract.checkSignature, async ({ params, body, networks, hostCompany }) => {
    await signatures.count(networks);
    const code = readCode(params.code);
    if (!code) throw invalid({ code: "This code is not complete or has a wrong character: compare it with the paper" });
    const document = await documentByCode(services.db, code, hostCompany);
    return signatures.check({ code, digits: body.digits, document, hostCompany });
  });
}
