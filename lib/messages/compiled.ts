import compile from "icu-minify/compile";
import type { CompiledMessage } from "icu-minify/format";

/** Compiles each message of a catalogue at its first use. */
export function compiledOnce<Key extends string>(catalogue: Record<Key, string>): (key: Key) => CompiledMessage {
  const compiled = new Map<Key, CompiledMessage>();
  return (key) => {
    let message = compiled.get(key);
    if (message === undefined) compiled.set(key, (message = compile(unbroken(catalogue[key]))));
    return message;
  };
}

/** French has a space before these, at which no line may break. */
export const unbroken = (message: string) => message.replaceAll(/ (?=[;?!»]|:(?!:))|(?<=«) /g, "\u00a0");
