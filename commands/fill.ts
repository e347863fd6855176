import { seedMany } from "#provider/samples/seed-many.ts";
import { seedState } from "#provider/samples/seed.ts";
import { type Command, requireArguments, CommandFailed, type Arguments, UsageError } from "./command.ts";
import { withServices } from "./with-services.ts";

export const fill: Command = {
  usage: "[--documents N] [--companies N]",
  help: [
    "A million documents and 50 small companies by default. Their page files have rows but no bytes, which",
    "verify and backup report. Sign-ins: provider/samples/seed-many.ts.",
  ],
  options: { documents: { type: "string" }, companies: { type: "string" } },
  async run(args) {
    requireArguments(args);
    const filling = { documents: countOf(args, "documents", 1_000_000), companies: countOf(args, "companies", 50) };
    await withServices(async (services) => {
      if ((await seedState(services)) !== "empty") throw new CommandFailed("The database is not empty.");
      await seedMany(services, filling, console.log);
    });
  },
};

function countOf({ values }: Arguments, name: string, byDefault: number) {
  const count = Number(values[name] ?? byDefault);
  if (!Number.isSafeInteger(count) || count < 0) throw new UsageError(`--${name} must be a whole number`);
  return count;
}
