import { watch } from "#lib/metric-sources.ts";
import { setShipping, shippingLag } from "#provider/audit/ship.ts";
import type { AccessTrail } from "#provider/audit/access-trail.ts";
import { providerJobs } from "#provider/jobs.ts";
import { witnessStates } from "#provider/log/cosign.ts";
import { releaseClaims } from "#provider/mail/outbox.ts";
import { tokenOf, type Config } from "#lib/config.ts";
import { changeOperatorKey, openServices } from "#provider/open-services.ts";
import { releaseRecipientClaims } from "#provider/recipients/send-mails.ts";
import type { Job } from "#lib/storage/jobs.ts";

/** What the worker needs of the embedded provider. */
export async function openEmbeddedJobs(...opening: Parameters<typeof openServices>): Promise<{
  access: AccessTrail;
  jobs(abandonedMs: () => number): Job[];
  changeKey(settings: Config): Promise<void>;
}> {
  const services = await openServices(...opening);
  const [, { database }] = opening;
  if (!database.isShared) {
    await releaseClaims(services.db);
    await releaseRecipientClaims(services.db);
  }
  await setShipping(services);
  if (services.auditSyslog) watch("audit lag", () => shippingLag(services.db, services.now()));
  if (services.witnesses?.length) watch("witnesses", () => witnessStates(services));
  return {
    access: services.access,
    jobs: (abandonedMs) => providerJobs(services, abandonedMs),
    changeKey: (settings) => changeOperatorKey(services, settings, tokenOf(settings)),
  };
}
