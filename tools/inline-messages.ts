import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import compile from "icu-minify/compile";
import type { Plugin } from "vite";
import { tagOf, type Language } from "../messages/languages.ts";

/**
 * Puts staff's messages into the code that says them: `say("alerts.list.none")` becomes the text itself, a message with
 * arguments a call that fills it in. So a page loads its own messages alone, and a sentence costs what it did in the code.
 */
export function inlineMessages(language: Language): Plugin {
  const messages = messagesOf(language);
  return {
    name: "inline-messages",
    apply: "build",
    transform: {
      filter: { id: /\/app\/.*\.tsx?(\?|$)/, code: /#messages\/staff\.ts/ },
      handler: (code, id) => ({ code: inlined(code, id, language, messages), map: null }),
    },
  };
}

const messagesOf = (language: string): Record<string, string> =>
  Object.assign(
    {},
    ...globSync(`messages/staff/${language}/*.json`, { cwd: join(import.meta.dirname, "..") }).map((path) =>
      JSON.parse(readFileSync(join(import.meta.dirname, "..", path), "utf8")),
    ),
  );

/** Compiled code, as the build's earlier steps leave it, with its messages in it. */
export function inlined(code: string, id: string, language: Language, messages: Record<string, string>): string {
  const compiled = (key: string) => {
    const message = messages[key];
    if (message === undefined) throw new Error(`${id} says ${key}, which messages/staff/${language} lacks`);
    return JSON.stringify(compile(message));
  };
  const tag = JSON.stringify(tagOf(language));
  const rest = code
    .replace(/^import \{[^}]*\} from "#messages\/staff\.ts";$/m, 'import { fill, fillWith } from "#messages/fill.ts";')
    .replaceAll(/(?<![.\w])say\("([^"]+)"\)/g, (_, key: string) => compiled(key))
    .replaceAll(
      /(?<![.\w])say(With)?\("([^"]+)", /g,
      (_, elements = "", key: string) => `fill${elements}(${tag}, ${compiled(key)}, `,
    );
  const left = /(?<![.\w])say(With)?\([^)]*\)/.exec(rest);
  if (left) throw new Error(`${id} says a message by a key that is not written out: ${left[0]}`);
  return rest;
}
