import { seedMany } from "#samples/seed-many.ts";
import { seedState } from "#samples/seed.ts";
import { type Command, exactly, Failed, type Given, WrongUse } from "./command.ts";
import { withServices } from "./with-services.ts";

export const fill: Command = {
  takes: "[--documents N] [--companies N]",
  explains: [
    "A million documents and 50 small companies unless said otherwise. Their page files have rows but no bytes, which",
    "verify and backup object to. Who can sign in: samples/seed-many.ts.",
  ],
  options: { documents: { type: "string" }, companies: { type: "string" } },
  async run(given) {
    exactly(given);
    const filling = { documents: countOf(given, "documents", 1_000_000), companies: countOf(given, "companies", 50) };
    await withServices(async (services) => {
      if ((await seedState(services)) !== "empty")
        throw new Failed("There is a company already: fill an empty database.");
      await seedMany(services, filling, console.log);
    });
  },
};

function countOf({ values }: Given, name: string, usual: number) {
  const count = Number(values[name] ?? usual);
  if (!Number.isSafeInteger(count) || count < 0) throw new WrongUse(`--${name} must be a whole number`);
  return count;
}
