import { health, openapi } from "./contract/service.ts";
import { createEndpoints, type ClientContext } from "./http/endpoint.ts";
import { openApiDocument } from "./http/openapi.ts";
import { serveAccessGroups } from "./routes/access-groups.ts";
import { serveAlerts } from "./routes/alerts.ts";
import { serveAudit } from "./routes/audit.ts";
import { serveBranches } from "./routes/branches.ts";
import { serveCompany } from "./routes/company.ts";
import { serveCopies } from "./routes/copies.ts";
import { serveDocumentFiles } from "./routes/document-files.ts";
import { serveDocuments } from "./routes/documents.ts";
import { serveEmailChanges } from "./routes/email-changes.ts";
import { serveFileChecks } from "./routes/file-checks.ts";
import { serveHelp } from "./routes/help.ts";
import { serveOpenSessions } from "./routes/open-sessions.ts";
import { serveProfile } from "./routes/profile.ts";
import { serveScans } from "./routes/scans.ts";
import { serveSearch } from "./routes/search.ts";
import { serveSealKeys } from "./routes/seal-keys.ts";
import { serveSessions } from "./routes/sessions.ts";
import { serveTariffs } from "./routes/tariffs.ts";
import { serveUsers } from "./routes/users.ts";
import { serveCurrentUser } from "./routes/current-user.ts";
import { serveSignatures } from "./routes/signatures.ts";
import { serveVerify } from "./routes/verify.ts";
import type { Services } from "./services.ts";

/** The embedded provider serves the calls of `contract/` below `/api`. */
export type Provider = { fetch(request: Request, from: ClientContext): Promise<Response> };

export function createProvider(services: Services): Provider {
  const { server, on } = createEndpoints(services);
  on(health, async () => ({ status: "ok" as const }));
  serveSessions(on, services);
  serveCurrentUser(on, services);
  serveUsers(on, services);
  serveAccessGroups(on, services);
  serveBranches(on, services);
  serveCompany(on, services);
  serveSealKeys(on, services);
  serveDocuments(on, services);
  serveCopies(on, services);
  serveDocumentFiles(on, services);
  serveFileChecks(on, services);
  serveAlerts(on, services);
  serveScans(on, services);
  serveVerify(on, services);
  serveSignatures(on, services);
  serveProfile(on, services);
  serveEmailChanges(on, services);
  serveOpenSessions(on, services);
  serveAudit(on, services);
  serveTariffs(on, services);
  serveHelp(on, services);
  serveSearch(on, services);
  let document: ReturnType<typeof openApiDocument> | undefined;
  on(openapi, async () => ({ ...(document ??= openApiDocument(server)) }));
  return { fetch: async (request, from) => server.fetch(request, from) };
}
