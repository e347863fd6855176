import { openServices } from "#provider/services.ts";
import { createProvider, type Provider } from "#provider/provider.ts";
import { firstStartToken } from "#provider/signup.ts";

/** The embedded provider, and the link for the first administrator while there is no company. */
export type Embedded = Provider & { firstStartLink: string | undefined };

export async function openEmbedded(...given: Parameters<typeof openServices>): Promise<Embedded> {
  const services = await openServices(...given);
  const token = await firstStartToken(services.db, services.now());
  return {
    ...createProvider(services),
    firstStartLink: token && `${services.publicUrl}/signup?token=${token}`,
  };
}
