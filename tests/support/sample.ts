import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { environment } from "#lib/config.ts";
import { sampleSignIn } from "#provider/samples/seed.ts";

export { filledSignIns } from "#provider/samples/seed-many.ts";

const root = join(import.meta.dirname, "..", "..");

/** The sample company's data, made once for a run; servers work on copies of it. */
export const sampleData = join(root, "test-results", "sample-data");

export const signIn = sampleSignIn;

/** Fills the folder of the sample company with the program that `npm run demo` uses. */
export async function makeSampleData() {
  if (!existsSync(join(sampleData, "sealdesk.db"))) await seed({ DATA_DIR: sampleData });
}

/** Fills what the settings name with the sample company, while this process goes on: the store may be served by it. */
export async function seed(settings: Record<string, string>) {
  const env = { ...environment, ...settings };
  const child = spawn(process.execPath, ["build/server/cli.js", "seed"], { cwd: root, env, stdio: "inherit" });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`Seeding ended with ${code}`);
}
