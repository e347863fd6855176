import type { Job } from "#storage/jobs.ts";
import type { AccessTrail } from "#provider/audit/access-trail.ts";
import { providerJobs } from "#provider/jobs.ts";
import { releaseClaims } from "#provider/mail/outbox.ts";
import { openServices } from "#provider/open-services.ts";
import { createProvider, type Provider } from "#provider/provider.ts";
import { firstStartToken } from "#provider/sessions/signup.ts";

/** The embedded provider, and the link for the first administrator while there is no company. */
export type Embedded = Provider & {
  firstStartLink: string | undefined;
  /** For what the web app alone sees of access: exports, pages that are refused. */
  access: AccessTrail;
  /** What it does without being asked; `abandonedMs` says how old files without a record must be to be removed. */
  jobs(abandonedMs: () => number): Job[];
};

export async function openEmbedded(...given: Parameters<typeof openServices>): Promise<Embedded> {
  const services = await openServices(...given);
  const [, { database }] = given;
  if (!database.isShared) await releaseClaims(services.db);
  const token = await firstStartToken(services.db, services.now());
  return {
    ...createProvider(services),
    access: services.access,
    jobs: (abandonedMs) => providerJobs(services, abandonedMs),
    firstStartLink: token && `${services.publicUrl}/signup?token=${token}`,
  };
}
