import { config } from "#config";
import { openPageFiles } from "#page-files/page-files.ts";
import { seedSample, seedState } from "../db/seed.ts";
import { openServices } from "../services.ts";
import { type Command, exactly, Failed } from "./command.ts";
import { inPlace } from "./place.ts";

export const seed: Command = {
  async run(given) {
    exactly(given);
    await seedEmpty();
  },
};

/** Fills the database with the sample company if it is empty; one that is there already stays as it is. */
export async function seedEmpty() {
  const settings = config();
  const pageFiles = openPageFiles();
  const tell = (event: object, message: string) => console.error(message, event);
  const log = { info: () => {}, warn: tell, error: tell };
  try {
    await inPlace({ beside: false }, async (place) => {
      const services = await openServices(settings, { ...place, pageFiles, log });
      const state = await seedState(services);
      if (state === "half") {
        throw new Failed(`The sample company was left half made: remove ${settings.DATA_DIR} and start again.`);
      }
      if (state === "empty") await seedSample(services);
    });
  } finally {
    await pageFiles.close();
  }
}
