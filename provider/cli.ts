import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { config, environment } from "#config";
import { openPageFiles } from "#page-files/page-files.ts";
import { openDatabase } from "#storage/database.ts";
import { openFiles } from "#storage/files.ts";
import { sampleSignIn, seedSample, seedState } from "./db/seed.ts";
import { seedMany } from "./db/seed-many.ts";
import { openServices, type Services } from "./services.ts";

/** Commands for the one who runs Sealdesk: `npm run provider -- COMMAND`. */

const commands: Record<string, { does: string; run(): Promise<void> }> = {
  seed: { does: "fills an empty database with the sample company", run: seed },
  fill: { does: "fills an empty database with --documents N and --companies N small ones, to measure", run: fill },
  demo: { does: "starts the server with the sample company, in a data folder of its own", run: demo },
};

async function seed() {
  await withServices(async (services) => {
    const state = await seedState(services);
    if (state === "half")
      throw new Error(`The sample company was left half made: remove ${config().DATA_DIR} and start again`);
    if (state === "empty") await seedSample(services);
  });
}

async function fill() {
  const options = { documents: { type: "string" }, companies: { type: "string" } } as const;
  const { documents = "1000000", companies = "50" } = parseArgs({ args: process.argv.slice(3), options }).values;
  await withServices(async (services) => {
    if ((await seedState(services)) !== "empty") throw new Error("There is a company already: fill an empty database");
    await seedMany(services, { documents: Number(documents), companies: Number(companies) }, console.log);
  });
}

/** Does something with the provider's services while no server runs on the same data. */
async function withServices(work: (services: Services) => Promise<void>) {
  const { DATA_DIR, DATABASE_URL, ...settings } = config();
  const database = openDatabase({ url: DATABASE_URL, directory: DATA_DIR });
  const pageFiles = openPageFiles();
  const log = { info: () => {}, error: (event: object, message: string) => console.error(message, event) };
  try {
    const files = openFiles(join(DATA_DIR, "files"));
    const services = await openServices({ DATA_DIR, ...settings }, { database, files, pageFiles, log });
    await work(services);
  } finally {
    await pageFiles.close();
    await database.close();
  }
}

async function demo() {
  environment.DATA_DIR ??= "demo-data";
  const { PORT, PUBLIC_URL } = config();
  // Without a port the server would quietly take another when this one is in use.
  environment.PORT = String(PORT);
  await seed();
  console.log(`\nSealdesk with its sample company: ${PUBLIC_URL}\n`);
  console.log(`Email: ${sampleSignIn.email}\nPassword: ${sampleSignIn.password}\n`);
  const serve = createRequire(import.meta.url).resolve("@react-router/serve/package.json");
  process.argv.splice(2, Infinity, join("build", "server", "index.js"));
  await import(pathToFileURL(join(serve, "..", "bin.js")).href);
}

const command = commands[process.argv[2] ?? ""];
if (command) await command.run();
else {
  console.log("Commands:");
  for (const [name, { does }] of Object.entries(commands)) console.log(`  ${name.padEnd(8)}${does}`);
  process.exitCode = process.argv[2] ? 1 : 0;
}
