import { tellOfAlerts } from "#provider/alerts/tell.ts";
import { removeOrphans } from "#provider/orphans.ts";
import { eraseOldPlaces } from "#provider/scans/erase.ts";
import { openServices } from "#provider/services.ts";
import { createProvider, type Provider } from "#provider/provider.ts";
import { firstStartToken } from "#provider/signup.ts";

/** The embedded provider, the link for the first administrator while there is no company, and its sweeping. */
export type Embedded = Provider & {
  firstStartLink: string | undefined;
  /** Removes files that no record has and that are older than `age` milliseconds, and erases places that are old. */
  sweep(age: number): Promise<void>;
  /** Writes to those who deal with alerts what has come since they were last told. */
  tellOfAlerts(): Promise<void>;
};

export async function openEmbedded(...given: Parameters<typeof openServices>): Promise<Embedded> {
  const services = await openServices(...given);
  const token = await firstStartToken(services.db, services.now());
  return {
    ...createProvider(services),
    async sweep(age) {
      await removeOrphans(services, age);
      await eraseOldPlaces(services);
    },
    tellOfAlerts: () => tellOfAlerts(services),
    firstStartLink: token && `${services.publicUrl}/signup?token=${token}`,
  };
}
