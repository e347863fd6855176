import { config } from "#config";
import { openPageFiles } from "#page-files/page-files.ts";
import { openServices } from "#provider/open-services.ts";
import type { Services } from "#provider/services.ts";
import { inPlace } from "./place.ts";

/** Does something with all that the provider works with, while no server runs on the same data. */
export async function withServices<Result>(work: (services: Services) => Promise<Result>): Promise<Result> {
  const pageFiles = openPageFiles();
  const tell = (event: object, message: string) => console.error(message, event);
  const log = { info: () => {}, warn: tell, error: tell };
  try {
    return await inPlace({ alongside: false }, async (place) =>
      work(await openServices(config(), { ...place, pageFiles, log })),
    );
  } finally {
    await pageFiles.close();
  }
}
