import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { config, environment } from "#lib/config.ts";
import { sampleSignIn } from "#provider/samples/seed.ts";
import { type Command, requireArguments } from "./command.ts";
import { seedEmpty } from "./seed.ts";

export const demo: Command = {
  async run(args) {
    requireArguments(args);
    environment.DATA_DIR ??= "demo-data";
    const { PORT, PUBLIC_URL } = config();
    // Without it, the server would take another port when this one is in use.
    environment.PORT = String(PORT);
    await seedEmpty();
    console.log(`\nSealdesk with its sample company: ${PUBLIC_URL}\n`);
    console.log(`Email: ${sampleSignIn.email}\nPassword: ${sampleSignIn.password}\n`);
    const serve = createRequire(import.meta.url).resolve("@react-router/serve/package.json");
    process.argv.splice(2, Infinity, join("build", "server", "index.js"));
    await import(pathToFileURL(join(serve, "..", "bin.js")).href);
  },
};
