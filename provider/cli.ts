import { parseArgs } from "node:util";
import { DatabaseInUse } from "#storage/database.ts";
import { backup } from "./commands/backup.ts";
import { type Command, Failed, Interrupted, WrongUse } from "./commands/command.ts";
import { createCompany } from "./commands/create-company.ts";
import { demo } from "./commands/demo.ts";
import { restore } from "./commands/restore.ts";
import { seed } from "./commands/seed.ts";
import { verify } from "./commands/verify.ts";
import { Refused } from "./refused.ts";

/** Commands for the one who runs Sealdesk: `npm run provider -- COMMAND`. */
const commands: Record<string, Command> = {
  "create-company": createCompany,
  backup,
  restore,
  verify,
  seed,
  demo,
};

const [name, ...given] = process.argv.slice(2);
process.exitCode = await run(name, given);

async function run(name: string | undefined, given: string[]): Promise<number> {
  if (name === undefined || name === "--help" || name === "-h") return listCommands(console.log, 0);
  const command = Object.hasOwn(commands, name) ? commands[name]! : undefined;
  if (!command) {
    console.error(`There is no command ${name}.\n`);
    return listCommands(console.error, 2);
  }
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

function explain(
  name: string,
  { does, takes = "", explains = [] }: Command,
  print: (line: string) => void,
  code: number,
) {
  print(`${name} ${takes}`.trim());
  for (const line of [`${does}.`, ...explains]) print(`  ${line}`);
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
  if (error instanceof Refused) {
    console.error(
      Object.values(error.errors ?? { message: [error.message] })
        .flat()
        .join("\n"),
    );
    return 1;
  }
  const isPlain = error instanceof Failed || error instanceof DatabaseInUse || (error as { syscall?: string }).syscall;
  console.error(isPlain ? (error as Error).message : error);
  return 1;
}
