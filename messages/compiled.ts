import compile from "icu-minify/compile";
import type { CompiledMessage } from "icu-minify/format";

/** Compiles each message of a catalogue when it is first said. */
export function compiledOnce<Key extends string>(catalogue: Record<Key, string>): (key: Key) => CompiledMessage {
  const compiled = new Map<Key, CompiledMessage>();
  return (key) => {
    let message = compiled.get(key);
    if (message === undefined) compiled.set(key, (message = compile(catalogue[key])));
    return message;
  };
}
