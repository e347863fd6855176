import { config, tokenOf } from "#lib/config.ts";
import { openPageFiles } from "#lib/page-files/page-files.ts";
import { openServices } from "#provider/open-services.ts";
import type { Services } from "#provider/services.ts";
import { withStores } from "./stores.ts";

/** Calls `work` with the provider's services, while no server runs on the same data. */
export async function withServices<Result>(work: (services: Services) => Promise<Result>): Promise<Result> {
  const pageFiles = openPageFiles();
  const print = (event: object, message: string) => console.error(message, event);
  const log = { info: () => {}, warn: print, error: print };
  try {
    const settings = config();
    return await withStores({ alongside: false }, async (stores) =>
      work(await openServices(settings, { ...stores, pageFiles, log, token: tokenOf(settings) })),
    );
  } finally {
    await pageFiles.close();
  }
}
