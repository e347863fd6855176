import type { ParseArgsOptionsConfig } from "node:util";

/** A command for the one who runs Sealdesk. */
export type Command = {
  /** What it is given, as its usage shows it: `FILE`. */
  takes?: string;
  /** Further lines of its usage. */
  explains?: string[];
  options?: ParseArgsOptionsConfig;
  /** Does it and returns the code that the process ends with, 0 unless it says otherwise. */
  run(given: Given): Promise<number | void>;
};

export type Given = { values: Record<string, string | boolean | undefined>; names: string[] };

/** It was called in a wrong way: the message and the usage are shown, and the process ends with 2. */
export class WrongUse extends Error {}

/** It could not be done for a reason that the message says in full; the process ends with 1. */
export class Failed extends Error {}

/** The names that a command was given, exactly as many as it takes. */
export function exactly<const Wanted extends string[]>(
  { names }: Given,
  ...wanted: Wanted
): { [N in keyof Wanted]: string } {
  if (names.length < wanted.length) throw new WrongUse(`${wanted[names.length]} is missing`);
  if (names.length > wanted.length) throw new WrongUse(`there is one word too many: ${names[wanted.length]}`);
  return names as { [N in keyof Wanted]: string };
}

/**
 * Ends what is done, in good order, at the first Ctrl-C or SIGTERM. The second ends the process as ever. Only commands
 * that ask for it are ended so.
 */
export function untilInterrupted(): AbortSignal {
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => interrupted.abort(new Interrupted()));
  }
  return interrupted.signal;
}

/** Somebody pressed Ctrl-C. */
export class Interrupted extends Error {}
