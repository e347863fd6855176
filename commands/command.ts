import type { ParseArgsOptionsConfig } from "node:util";

/** A command for operators. */
export type Command = {
  usage?: string;
  help?: string[];
  options?: ParseArgsOptionsConfig;
  /** Returns the exit code, by default 0. */
  run(args: Arguments): Promise<number | void>;
};

export type Arguments = { values: Record<string, string | boolean | undefined>; positionals: string[] };

/** Wrong arguments: the message and the usage are printed, and the process exits with 2. */
export class UsageError extends Error {}

/** A failure that its message explains; the process exits with 1. */
export class CommandFailed extends Error {}

/** The positional arguments. Throws `UsageError` unless there are as many as are named. */
export function requireArguments<const Names extends string[]>(
  { positionals }: Arguments,
  ...names: Names
): { [N in keyof Names]: string } {
  if (positionals.length < names.length) throw new UsageError(`${names[positionals.length]} is missing`);
  if (positionals.length > names.length) throw new UsageError(`unexpected argument: ${positionals[names.length]}`);
  return positionals as { [N in keyof Names]: string };
}

/** Aborted by the first Ctrl-C or SIGTERM; the second ends the process as usual. */
export function interruptSignal(): AbortSignal {
  const interruption = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => interruption.abort(new Interrupted()));
  }
  // The worker that started it is gone.
  process.once("disconnect", () => interruption.abort(new Interrupted()));
  process.channel?.unref();
  return interruption.signal;
}

/** The operator pressed Ctrl-C. */
export class Interrupted extends Error {}
