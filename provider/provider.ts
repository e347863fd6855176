import { networksOf } from "#lib/storage/limits/networks.ts";
import { health, openapi } from "./contract/service.ts";
import type { CallInProcess, ClientContext } from "./http/call-request.ts";
import { createEndpoints } from "./http/endpoint.ts";
import { failureReply } from "./http/failure-reply.ts";
import { openApiDocument } from "./http/openapi.ts";
import { serveAccessGroups } from "./access-groups/access-group-handlers.ts";
import { serveAlertCases } from "./alerts/cases/case-handlers.ts";
import { serveAlertRules } from "./alerts/rules/alert-rule-handlers.ts";
import { serveAlertEvidence } from "./alerts/evidence/evidence-handlers.ts";
import { serveAlerts } from "./alerts/alert-handlers.ts";
import { serveApiKeys } from "./api-keys/api-key-handlers.ts";
import { serveAudit } from "./audit/audit-handlers.ts";
import { serveBranches } from "./branches/branch-handlers.ts";
import { serveBulkActions } from "./bulk-actions/bulk-action-handlers.ts";
import { serveCalendar } from "./calendar/calendar-handlers.ts";
import { serveBulkIssues } from "./bulk-issues/bulk-issue-handlers.ts";
import { serveCompany } from "./company/company-handlers.ts";
import { serveCopies } from "./documents/copies/copy-handlers.ts";
import { serveDocumentFiles } from "./documents/document-file-handlers.ts";
import { serveReceipts } from "./documents/receipt/receipt-handlers.ts";
import { serveLabels } from "./labels/label-handlers.ts";
import { serveChosenSealedPdfs } from "./documents/chosen-sealed-pdfs.ts";
import { serveDocuments } from "./documents/document-handlers.ts";
import { serveEmailChanges } from "./users/profile/email-change-handlers.ts";
import { serveFileChecks } from "./file-checks/file-check-handlers.ts";
import { serveHelp } from "./help/help-handlers.ts";
import { serveHosts } from "./hosts/host-handlers.ts";
import { serveImports } from "./imports/import-handlers.ts";
import { serveLog } from "./log/log-handlers.ts";
import { serveNumberRanges } from "./number-ranges/number-range-handlers.ts";
import { serveOpenSessions } from "./sessions/open-session-handlers.ts";
import { servePasskeys } from "./passkeys/passkey-handlers.ts";
import { serveProfile } from "./users/profile/profile-handlers.ts";
import { serveReleases } from "./releases/release-handlers.ts";
import { serveReceived, serveReceivedCodes } from "./recipients/received-handlers.ts";
import { serveRecipients } from "./recipients/recipient-handlers.ts";
import { serveScans } from "./scans/scan-handlers.ts";
import { serveSearch } from "./search/search-handlers.ts";
import { serveSecondFactors } from "./second-factors/second-factor-handlers.ts";
import { serveSealKeys } from "./seal/keys/seal-key-handlers.ts";
import { serveSessions } from "./sessions/session-handlers.ts";
import { serveSingleSignOn } from "./single-sign-on/single-sign-on-handlers.ts";
import { serveTariffs } from "./tariffs/tariff-handlers.ts";
import { serveTemplates } from "./templates/template-handlers.ts";
import { serveUsers } from "./users/user-handlers.ts";
import { serveCurrentUser } from "./users/current-user-handlers.ts";
import { serveViews } from "./views/view-handlers.ts";
import { serveSignatures } from "./seal/signature-handlers.ts";
import { serveVerify } from "./scans/verify-handlers.ts";
import { serveWallets } from "./wallet/wallet-handlers.ts";
import { serveWebhooks } from "./webhooks/webhook-handlers.ts";
import { serveWithdrawalReasons } from "./company/withdrawal-reason-handlers.ts";
import type { ShownHost } from "./contract/shown-host.ts";
import { allShownHosts } from "./hosts/host-queries.ts";
import { createScanService, type OpenedCode } from "./scans/scan-service.ts";
import { createScimServer } from "./scim/scim-server.ts";
import type { Services } from "./services.ts";

/** The embedded provider serves the calls of `contract/` below `/api`, and SCIM below `/scim/v2`. */
export type Provider = {
  fetch(request: Request, from: ClientContext): Promise<Response>;
  callInProcess: CallInProcess;
  /** The content of a code's page, once its scan is stored, or the reply that refuses it. */
  openCode(
    scanned: { code: string; digits: string },
    from: { clientAddress: string; token?: string | undefined; hostCompany: number | undefined },
  ): Promise<OpenedCode | Response>;
  /** Companies' own hosts by name, whose pages are shown. */
  shownHosts(): Promise<Map<string, ShownHost>>;
};

/** The handlers of each noun's calls. */
const nouns = [
  serveSessions,
  serveSecondFactors,
  servePasskeys,
  serveSingleSignOn,
  serveCurrentUser,
  serveUsers,
  serveAccessGroups,
  serveBranches,
  serveCompany,
  serveSealKeys,
  serveLog,
  serveDocuments,
  serveCopies,
  serveReleases,
  serveRecipients,
  serveReceived,
  serveReceivedCodes,
  serveWithdrawalReasons,
  serveNumberRanges,
  serveCalendar,
  serveDocumentFiles,
  serveReceipts,
  serveLabels,
  serveChosenSealedPdfs,
  serveBulkIssues,
  serveFileChecks,
  serveAlertCases,
  serveTemplates,
  serveBulkActions,
  serveAlertRules,
  serveAlerts,
  serveAlertEvidence,
  serveScans,
  serveSignatures,
  serveWallets,
  serveProfile,
  serveEmailChanges,
  serveOpenSessions,
  serveApiKeys,
  serveAudit,
  serveImports,
  serveTariffs,
  serveViews,
  serveWebhooks,
  serveHelp,
  serveHosts,
  serveSearch,
];

export function createProvider(services: Services): Provider {
  const { server, on, callInProcess } = createEndpoints(services);
  const scim = createScimServer(services);
  for (const serve of nouns) serve(on, services);
  const scanning = createScanService(services);
  serveVerify(on, services, scanning);
  on(health, async () => ({ status: "ok" as const }));
  let document: ReturnType<typeof openApiDocument> | undefined;
  on(openapi, async () => ({ ...(document ??= openApiDocument(server)) }));
  return {
    fetch: async (request, from) =>
      (new URL(request.url).pathname.startsWith("/scim/") ? scim : server).fetch(request, from),
    callInProcess,
    openCode: (scanned, { clientAddress, token, hostCompany }) =>
      scanning
        .openCode({ ...scanned, hostCompany }, { networks: networksOf(clientAddress), token })
        .catch((error: Error) => failureReply(services.log, error)),
    shownHosts: () => allShownHosts(services.db),
  };
}
