import { config } from "#config";
import { seedSample, seedState } from "#samples/seed.ts";
import { type Command, exactly, Failed } from "./command.ts";
import { withServices } from "./with-services.ts";

export const seed: Command = {
  async run(given) {
    exactly(given);
    if (!(await seedEmpty())) throw new Failed("There are documents already: nothing was added.");
  },
};

/** Fills the database with the sample company if it is empty, and tells whether it was. */
export const seedEmpty = () =>
  withServices(async (services) => {
    const state = await seedState(services);
    if (state === "half") {
      throw new Failed(`The sample company was left half made: remove ${config().DATA_DIR} and start again.`);
    }
    if (state === "empty") await seedSample(services);
    return state === "empty";
  });
