import { parseArgs } from "node:util";
import { config, environment } from "#lib/config.ts";
import { misspeltSettings } from "#lib/misspelt-settings.ts";
import { OperatorKeyRefused } from "#lib/seal/operator-key.ts";
import { NewerSchema } from "#lib/storage/database/schema-guard.ts";
import { startRefusal } from "#lib/storage/start-refusal.ts";
import { type Command, CommandFailed, Interrupted, UsageError } from "./command.ts";
import { commands } from "./commands.ts";

const fileFaults: Record<string, string> = {
  ENOENT: "is not there",
  EISDIR: "is a folder, not a file",
  EACCES: "may not be read or written by this user",
};

const [name, ...args] = process.argv.slice(2);
process.exitCode = await run(name, args);

async function run(name: string | undefined, args: string[]): Promise<number> {
  if (name === undefined || name === "--help" || name === "-h") return listCommands(console.log, 0);
  if (!Object.hasOwn(commands, name)) {
    console.error(`There is no command ${name}.\n`);
    return listCommands(console.error, 2);
  }
  const command = await commands[name]!.load();
  // Programs that run for long log it themselves.
  if (name !== "worker") {
    for (const { given, nearest } of misspeltSettings(environment)) {
      console.error(`There is no setting ${given}: is ${nearest} meant?`);
    }
  }
  try {
    const options = { ...command.options, help: { type: "boolean", short: "h" } } as const;
    const { values, positionals } = parseArgs({ args: args, options, allowPositionals: true });
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
  const isExplained = [CommandFailed, OperatorKeyRefused, NewerSchema].some((kind) => error instanceof kind);
  const refusal = isOperational ? startRefusal(error, config()) : undefined;
  console.error(refusal ?? (isExplained || isOperational ? (error as Error).message || code : error));
  return 1;
}
