import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bucketOf, config, environment } from "#config";
import { openPageFiles } from "#page-files/page-files.ts";
import { openDatabase } from "#storage/database.ts";
import { openFiles } from "#storage/open-files.ts";
import { sampleSignIn, seedSample, seedState } from "./db/seed.ts";
import { openServices } from "./services.ts";

/** Commands for the one who runs Sealdesk: `npm run provider -- COMMAND`. */

const commands: Record<string, { does: string; run(): Promise<void> }> = {
  seed: { does: "fills an empty database with the sample company", run: seed },
  demo: { does: "starts the server with the sample company, in a data folder of its own", run: demo },
};

async function seed() {
  const settings = config();
  const { DATA_DIR, DATABASE_URL } = settings;
  const database = openDatabase({ url: DATABASE_URL, directory: DATA_DIR });
  const pageFiles = openPageFiles();
  const log = {
    info: () => {},
    warn: () => {},
    error: (event: object, message: string) => console.error(message, event),
  };
  try {
    const files = await openFiles({ directory: join(DATA_DIR, "files"), bucket: bucketOf(settings) });
    const services = await openServices(settings, { database, files, pageFiles, log });
    const state = await seedState(services);
    if (state === "half") throw new Error(`The sample company was left half made: remove ${DATA_DIR} and start again`);
    if (state === "empty") await seedSample(services);
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
