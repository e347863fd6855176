import { config } from "#lib/config.ts";
import { seedSample, seedState } from "#provider/samples/seed.ts";
import { type Command, requireArguments, CommandFailed } from "./command.ts";
import { withServices } from "./with-services.ts";

export const seed: Command = {
  async run(args) {
    requireArguments(args);
    if (!(await seedEmpty())) throw new CommandFailed("There are documents already: nothing was added.");
  },
};

/** Adds the sample company to an empty database; returns whether it was empty. */
export const seedEmpty = () =>
  withServices(async (services) => {
    const state = await seedState(services);
    if (state === "half") {
      throw new CommandFailed(`The sample company is incomplete: remove ${config().DATA_DIR} and start again.`);
    }
    if (state === "empty") await seedSample(services);
    return state === "empty";
  });
