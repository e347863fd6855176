import { parseArgs } from "node:util";
import { OperatorKeyRefused } from "#lib/seal/operator-key.ts";
import { type Command, CommandFailed, Interrupted, UsageError } from "./command.ts";

/** Commands for operators: `npm run provider -- COMMAND`. Each is loaded on demand. */
const commands: Record<string, { summary: string; load(): Promise<Command> }> = {
  "create-company": {
    summary: "creates a company and prints the sign-up link of its first administrator, while the server runs",
    load: async () => (await import("./create-company.ts")).createCompany,
  },
  "sign-in-link": {
    summary: "prints a link by which a user signs in once without a password, while the server runs",
    load: async () => (await import("./sign-in-link.ts")).signInLink,
  },
  backup: {
    summary: "copies all rows and files into one file, while the server runs",
    load: async () => (await import("./backup.ts")).backup,
  },
  restore: {
    summary: "restores a backup of either kind of database into an empty database and file store",
    load: async () => (await import("./restore.ts")).restore,
  },
  verify: {
    summary: "checks all rows and files and lists every fault, while the server runs",
    load: async () => (await import("./verify.ts")).verify,
  },
  "seal-keys": {
    summary: "lists, rotates and revokes the keys that seal, and takes the root's away, while the server runs",
    load: async () => (await import("./seal-keys.ts")).sealKeys,
  },
  check: {
    summary: "says whether a file is a document, as the verification page does, while the server runs",
    load: async () => (await import("./check.ts")).check,
  },
  "check-code": {
    summary: "says what a signed code states, and whether it is in force, by saved files alone",
    load: async () => (await import("./check-code.ts")).checkCode,
  },
  seed: {
    summary: "fills an empty database with the sample company",
    load: async () => (await import("./seed.ts")).seed,
  },
  fill: {
    summary: "fills an empty database with one large company and small ones, for measurements",
    load: async () => (await import("./fill.ts")).fill,
  },
  worker: {
    summary: "runs all jobs, beside servers on PostgreSQL that run none themselves",
    load: async () => (await import("./worker.ts")).worker,
  },
  demo: {
    summary: "starts the server with the sample company, in a data folder of its own",
    load: async () => (await import("./demo.ts")).demo,
  },
};

const fileFaults: Record<string, string> = {
  ENOENT: "is not there",
  EISDIR: "is a folder, not a file",
  EACCES: "may not be read or written by this user",
};

const [name, ...given] = process.argv.slice(2);
process.exitCode = await run(name, given);

async function run(name: string | undefined, given: string[]): Promise<number> {
  if (name === undefined || name === "--help" || name === "-h") return listCommands(console.log, 0);
  if (!Object.hasOwn(commands, name)) {
    console.error(`There is no command ${name}.\n`);
    return listCommands(console.error, 2);
  }
  const command = await commands[name]!.load();
  try {
    const options = { ...command.options, help: { type: "boolean", short: "h" } } as const;
    const { values, positionals } = parseArgs({ args: given, options, allowPositionals: true });
    if (values.help) return explain(name, command, console.log, 0);
    return (await command.run({ values, positionals })) ?? 0;
  } catch (error) {
    const reason = usageErrorIn(error);
    if (reason === undefined) return reportFailure(error);
    console.error(`${reason}\n`);
    return explain(name, command, console.error, 2);
  }
}

function listCommands(print: (line: string) => void, code: number) {
  print("Commands (--help explains each):");
  for (const [name, { summary }] of Object.entries(commands)) print(`  ${name.padEnd(16)}${summary}`);
  return code;
}

function explain(name: string, { usage = "", help = [] }: Command, print: (line: string) => void, code: number) {
  print(`${name} ${usage}`.trim());
  for (const line of [`${commands[name]!.summary}.`, ...help]) print(`  ${line}`);
  return code;
}

function usageErrorIn(error: unknown): string | undefined {
  const isOfArguments = String((error as { code?: unknown }).code).startsWith("ERR_PARSE_ARGS");
  return error instanceof UsageError || isOfArguments ? (error as Error).message : undefined;
}

/** Prints failures that an operator can fix as one line, others in full; returns the exit code. */
function reportFailure(error: unknown): number {
  if (error instanceof Interrupted || (error as Error).cause instanceof Interrupted) {
    console.error("Stopped.");
    return 130;
  }
  const { syscall, severity, code, path } = error as Partial<NodeJS.ErrnoException> & { severity?: string };
  const fault = syscall !== undefined && Object.hasOwn(fileFaults, code ?? "") && fileFaults[code!];
  if (fault) {
    console.error(`${path ?? "One of the given files"} ${fault}.`);
    return 1;
  }
  // PostgreSQL's errors have a severity.
  const isOperational = syscall !== undefined || severity !== undefined || String(code).startsWith("SQLITE_");
  const isExplained = error instanceof CommandFailed || error instanceof OperatorKeyRefused || isOperational;
  console.error(isExplained ? (error as Error).message || code : error);
  return 1;
}
