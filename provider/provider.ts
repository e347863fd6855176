import { networksOf } from "#storage/networks.ts";
import { health, openapi } from "./contract/service.ts";
import type { CallInProcess, ClientContext } from "./http/call-request.ts";
import { createEndpoints } from "./http/endpoint.ts";
import { failureReply } from "./http/failure-reply.ts";
import { openApiDocument } from "./http/openapi.ts";
import { serveAccessGroups } from "./routes/access-groups.ts";
import { serveAlertCases } from "./routes/alert-cases.ts";
import { serveAlertRules } from "./routes/alert-rules.ts";
import { serveAlertEvidence } from "./routes/alert-evidence.ts";
import { serveAlerts } from "./routes/alerts.ts";
import { serveApiKeys } from "./routes/api-keys.ts";
import { serveAudit } from "./routes/audit.ts";
import { serveBranches } from "./routes/branches.ts";
import { serveBulkActions } from "./routes/bulk-actions.ts";
import { serveCalendar } from "./routes/calendar.ts";
import { serveBulkIssues } from "./routes/bulk-issues.ts";
import { serveCompany } from "./routes/company.ts";
import { serveCopies } from "./routes/copies.ts";
import { serveDocumentFiles } from "./routes/document-files.ts";
import { serveLabels } from "./routes/labels.ts";
import { serveDocuments } from "./routes/documents.ts";
import { serveEmailChanges } from "./routes/email-changes.ts";
import { serveFileChecks } from "./routes/file-checks.ts";
import { serveHelp } from "./routes/help.ts";
import { serveImports } from "./routes/imports.ts";
import { serveOpenSessions } from "./routes/open-sessions.ts";
import { servePasskeys } from "./routes/passkeys.ts";
import { serveProfile } from "./routes/profile.ts";
import { serveScans } from "./routes/scans.ts";
import { serveSearch } from "./routes/search.ts";
import { serveSecondFactors } from "./routes/second-factors.ts";
import { serveSealKeys } from "./routes/seal-keys.ts";
import { serveSessions } from "./routes/sessions.ts";
import { serveSingleSignOn } from "./routes/single-sign-on.ts";
import { serveTariffs } from "./routes/tariffs.ts";
import { serveTemplates } from "./routes/templates.ts";
import { serveUsers } from "./routes/users.ts";
import { serveCurrentUser } from "./routes/current-user.ts";
import { serveViews } from "./routes/views.ts";
import { serveSignatures } from "./routes/signatures.ts";
import { serveVerify } from "./routes/verify.ts";
import { serveWebhooks } from "./routes/webhooks.ts";
import { serveWithdrawalReasons } from "./routes/withdrawal-reasons.ts";
import { createScanning, type OpenedCode } from "./scans/scanning.ts";
import type { Services } from "./services.ts";

/** The embedded provider serves the calls of `contract/` below `/api`. */
export type Provider = {
  fetch(request: Request, from: ClientContext): Promise<Response>;
  callInProcess: CallInProcess;
  /** What the page of a code shows, once its scan is stored, or the reply that refuses it. */
  openCode(
    scanned: { code: string; digits: string },
    from: { clientAddress: string; token?: string | undefined },
  ): Promise<OpenedCode | Response>;
};

export function createProvider(services: Services): Provider {
  const { server, on, callInProcess } = createEndpoints(services);
  on(health, async () => ({ status: "ok" as const }));
  serveSessions(on, services);
  serveSecondFactors(on, services);
  servePasskeys(on, services);
  serveSingleSignOn(on, services);
  serveCurrentUser(on, services);
  serveUsers(on, services);
  serveAccessGroups(on, services);
  serveBranches(on, services);
  serveCompany(on, services);
  serveSealKeys(on, services);
  serveDocuments(on, services);
  serveCopies(on, services);
  serveWithdrawalReasons(on, services);
  serveCalendar(on, services);
  serveDocumentFiles(on, services);
  serveLabels(on, services);
  serveBulkIssues(on, services);
  serveFileChecks(on, services);
  serveAlertCases(on, services);
  serveTemplates(on, services);
  serveBulkActions(on, services);
  serveAlertRules(on, services);
  serveAlerts(on, services);
  serveAlertEvidence(on, services);
  serveScans(on, services);
  const scanning = createScanning(services);
  serveVerify(on, services, scanning);
  serveSignatures(on, services);
  serveProfile(on, services);
  serveEmailChanges(on, services);
  serveOpenSessions(on, services);
  serveApiKeys(on, services);
  serveAudit(on, services);
  serveImports(on, services);
  serveTariffs(on, services);
  serveViews(on, services);
  serveWebhooks(on, services);
  serveHelp(on, services);
  serveSearch(on, services);
  let document: ReturnType<typeof openApiDocument> | undefined;
  on(openapi, async () => ({ ...(document ??= openApiDocument(server)) }));
  return {
    fetch: async (request, from) => server.fetch(request, from),
    callInProcess,
    openCode: (scanned, { clientAddress, token }) =>
      scanning
        .openCode(scanned, { networks: networksOf(clientAddress), token })
        .catch((error: Error) => failureReply(services.log, error)),
  };
}
