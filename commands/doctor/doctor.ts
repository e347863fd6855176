import { join } from "node:path";
import { sql } from "kysely";
import { bucketOf, config, type Config } from "#lib/config.ts";
import { openDatabase } from "#lib/storage/database/open-database.ts";
import { openFiles } from "#lib/storage/files/open-files.ts";
import { secondsInMs } from "#lib/units.ts";
import { type Command, requireArguments } from "../command.ts";
import type { Stores } from "../stores.ts";
import { clockCheck } from "./clock.ts";
import { attempt, type Check, type Finding, type StoresCheck } from "./finding.ts";
import {
  addressFinding,
  certificateFinding,
  proxiesFinding,
  readinessFinding,
  type Reply,
  requestPublic,
} from "./public-address.ts";
import { mailCheck, memoryCheck, sealsCheck, timeStampCheck, witnessesCheck } from "./services.ts";
import { backupsCheck, databaseCheck, diskCheck, filesCheck, jobsCheck, schemaCheck } from "./stores.ts";

export const doctor: Command = {
  usage: "[--json]",
  help: [
    "Run it with the settings of the server, in its container or on its machine. It sends no mail and changes nothing.",
    "Each check is ok, warn or fail, the last two with what to do. The exit code is 1 if one fails.",
  ],
  options: { json: { type: "boolean" } },
  async run(args) {
    requireArguments(args);
    const checks = await runAll(config());
    const states = checks.map(({ state }) => state);
    const state = (["fail", "warn"] as const).find((one) => states.includes(one)) ?? "ok";
    if (args.values.json) console.log(JSON.stringify({ state, checks }, null, 2));
    else
      for (const { name, state, detail, advice } of checks) {
        console.log(`${state.padEnd(6)}${name.padEnd(13)}${detail}`);
        if (advice) console.log(`${" ".repeat(19)}${advice}`);
      }
    const exitCode = state === "fail" ? 1 : 0;
    // Whatever a check that took too long still waits for.
    setTimeout(() => process.exit(exitCode), secondsInMs(1)).unref();
    return exitCode;
  },
};

type Named = Finding & { name: string };

/** Checks, with what to do if they throw. */
type Checks<C> = Record<string, { check: C; advice: string }>;

const checksOfSettings: Checks<Check> = {
  disk: { check: diskCheck, advice: "See whether DATA_DIR is there." },
  mail: {
    check: mailCheck,
    advice: "Compare SMTP_URL with what the mail server expects, and let the server out to it.",
  },
  "time stamps": { check: timeStampCheck, advice: "Compare TSA_URL." },
  memory: { check: memoryCheck, advice: "" },
};

const checksOfStores: Checks<StoresCheck> = {
  database: { check: databaseCheck, advice: "Compare DATABASE_URL." },
  schema: { check: schemaCheck, advice: "Start the version that migrated the database last." },
  files: { check: filesCheck, advice: "Compare the settings S3_…, or who may write in DATA_DIR." },
  jobs: { check: jobsCheck, advice: "Start the server, which makes its tables." },
  backups: { check: backupsCheck, advice: "Start the server, which makes its tables." },
  seals: { check: sealsCheck, advice: "Compare SEAL_SECRET and the settings SEAL_KEY… or SEAL_TOKEN_…" },
  witnesses: { check: witnessesCheck, advice: "Start the server, which makes its tables, or compare WITNESSES." },
};

async function runAll(settings: Config): Promise<Named[]> {
  const checks: Named[] = [];
  const add = (name: string, finding: Finding | undefined) => finding && checks.push({ name, ...finding });
  const reply = await checkAddress(settings, add);
  const { value: stores, failure } = await attempt(
    () => openStores(settings),
    "Compare DATABASE_URL, or who may write in DATA_DIR.",
  );
  if (stores) {
    const clock = { check: clockCheck(reply), advice: "See the check of the database." };
    await addAll(add, { ...checksOfStores, clock }, (check) => check(stores, settings));
    void stores.database.close();
  } else add("database", failure);
  await addAll(add, checksOfSettings, (check) => check(settings));
  return checks;
}

async function addAll<C>(add: Add, checks: Checks<C>, run: (check: C) => Promise<Finding | undefined>) {
  const entries = Object.entries(checks);
  const results = await Promise.all(entries.map(([, { check, advice }]) => attempt(() => run(check), advice)));
  results.forEach(({ value, failure }, n) => add(entries[n]![0], failure ?? value));
}

type Add = (name: string, finding: Finding | undefined) => void;

async function checkAddress(settings: Config, add: Add): Promise<Reply | undefined> {
  const { value: reply, failure } = await attempt(
    () => requestPublic(settings, "/healthz"),
    `Compare PUBLIC_URL, DNS, proxy and firewall: browsers open ${settings.PUBLIC_URL}.`,
  );
  if (!reply) {
    add("address", failure);
    return undefined;
  }
  add("address", addressFinding(settings, reply));
  add("certificate", certificateFinding(settings, reply));
  add("proxies", proxiesFinding(settings, reply));
  const readiness = await attempt(
    async () => readinessFinding(await requestPublic(settings, "/readyz")),
    "Compare the proxy's target: what answers at /readyz is not Sealdesk.",
  );
  add("readiness", readiness.failure ?? readiness.value);
  return reply;
}

async function openStores(settings: Config): Promise<Stores> {
  const { DATA_DIR, DATABASE_URL } = settings;
  const database = await openDatabase({
    ...(DATABASE_URL && { url: DATABASE_URL }),
    directory: DATA_DIR,
    role: "command",
  });
  const files = await openFiles({ directory: join(DATA_DIR, "files"), bucket: bucketOf(settings) });
  await sql`select 1`.execute(database.tables());
  return { database, files };
}
