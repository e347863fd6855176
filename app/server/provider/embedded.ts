import { removeOrphans } from "#provider/documents/orphans.ts";
import { openServices } from "#provider/services.ts";
import { createProvider, type Provider } from "#provider/provider.ts";
import { firstStartToken } from "#provider/signup.ts";

/** The embedded provider, and the link for the first administrator while there is no company. */
export type Embedded = Provider & { firstStartLink: string | undefined };

const days = (n: number) => n * 24 * 60 * 60 * 1000;

export async function openEmbedded(...given: Parameters<typeof openServices>): Promise<Embedded> {
  const services = await openServices(...given);
  const [{ DATABASE_URL }] = given;
  // On SQLite no other process can be at work here; elsewhere a day is time enough for any upload.
  const sweep = (age: number) =>
    removeOrphans(services, age).catch((err: unknown) => services.log.error({ err }, "page files could not be swept"));
  void sweep(DATABASE_URL ? days(1) : 0);
  setInterval(() => void sweep(days(1)), days(1)).unref();
  const token = await firstStartToken(services.db, services.now());
  return {
    ...createProvider(services),
    firstStartLink: token && `${services.publicUrl}/signup?token=${token}`,
  };
}
