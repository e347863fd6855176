import { parseArgs } from "node:util";
import { type Command, Failed, Interrupted, WrongUse } from "./command.ts";

/** Commands for the one who runs Sealdesk: `npm run provider -- COMMAND`. Each is loaded when it is called for. */
const commands: Record<string, { does: string; load(): Promise<Command> }> = {
  "create-company": {
    does: "makes a company and prints the link for its first administrator, while the server runs",
    load: async () => (await import("./create-company.ts")).createCompany,
  },
  backup: {
    does: "copies all rows and files into one file, while the server runs",
    load: async () => (await import("./backup.ts")).backup,
  },
  restore: {
    does: "fills an empty place with a backup, whichever kind of database that was made of",
    load: async () => (await import("./restore.ts")).restore,
  },
  verify: {
    does: "reads everything and tells what is missing or does not fit together, while the server runs",
    load: async () => (await import("./verify.ts")).verify,
  },
  seed: {
    does: "fills an empty database with the sample company",
    load: async () => (await import("./seed.ts")).seed,
  },
  fill: {
    does: "fills an empty database with a company of many documents, and small ones beside it, to measure",
    load: async () => (await import("./fill.ts")).fill,
  },
  demo: {
    does: "starts the server with the sample company, in a data folder of its own",
    load: async () => (await import("./demo.ts")).demo,
  },
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
    return (await command.run({ values, names: positionals })) ?? 0;
  } catch (error) {
    const reason = wrongUse(error);
    if (reason === undefined) return failed(error);
    console.error(`${reason}\n`);
    return explain(name, command, console.error, 2);
  }
}

function listCommands(print: (line: string) => void, code: number) {
  print("Commands (each explains itself with --help):");
  for (const [name, { does }] of Object.entries(commands)) print(`  ${name.padEnd(16)}${does}`);
  return code;
}

function explain(name: string, { takes = "", explains = [] }: Command, print: (line: string) => void, code: number) {
  print(`${name} ${takes}`.trim());
  for (const line of [`${commands[name]!.does}.`, ...explains]) print(`  ${line}`);
  return code;
}

function wrongUse(error: unknown): string | undefined {
  const isOfArguments = String((error as { code?: unknown }).code).startsWith("ERR_PARSE_ARGS");
  return error instanceof WrongUse || isOfArguments ? (error as Error).message : undefined;
}

/** What an operator can put right is told in a line; anything else with all that is known of it. */
function failed(error: unknown): number {
  if (error instanceof Interrupted || (error as Error).cause instanceof Interrupted) {
    console.error("Stopped.");
    return 130;
  }
  const { syscall, severity, code } = error as { syscall?: string; severity?: string; code?: unknown };
  // Of the system and of databases: PostgreSQL's have a severity, SQLite's a code of its own.
  const isOfPlace = syscall !== undefined || severity !== undefined || String(code).startsWith("SQLITE_");
  console.error(error instanceof Failed || isOfPlace ? (error as Error).message || code : error);
  return 1;
}
