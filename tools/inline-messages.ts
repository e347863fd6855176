import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import type { Plugin } from "vite";
import { unbroken } from "#lib/messages/compiled.ts";
import { type Language, tagOf } from "#lib/messages/languages.ts";
import { readCatalogues } from "./messages.ts";

/**
 * Puts staff's messages into the code that says them: `t("alerts.list.none")` becomes the text itself, a message with
 * arguments a function that fills them in. So a page loads its own messages alone, and no program that reads messages.
 */
export function inlineMessages(language: Language): Plugin {
  const messages = readCatalogues("lib/messages/staff").get(language) ?? {};
  return {
    name: "inline-messages",
    apply: "build",
    transform: {
      filter: { id: /\/(app|lib\/messages)\/.*\.tsx?(\?|$)/, code: /import \{[^}]*\} from "[^"]*\/staff\.ts"/ },
      handler: (code, id) => ({ code: inlined(code, id, language, messages), map: null }),
    },
  };
}

/** Compiled code, as the build's earlier steps leave it, with its messages in it. */
export function inlined(code: string, id: string, language: Language, messages: Record<string, string>): string {
  const read = (key: string) => {
    const message = messages[key];
    if (message === undefined) throw new Error(`${id} says ${key}, which lib/messages/staff/${language} lacks`);
    return parse(unbroken(message));
  };
  const tag = JSON.stringify(tagOf(language));
  const filled = (hasElements: boolean, message: MessageFormatElement[]) =>
    hasElements ? elementsCode(message, { tag }) : textCode(message, { tag });
  const saying = code.replace(/^import \{[^}]*\} from "#lib\/messages\/staff\.ts";$/m, fillingImport);
  if (/from "[^"]*\/staff\.ts"/.test(saying)) throw new Error(`${id} imports lib/messages/staff.ts in another form`);
  // Not of other words, as `words.t`, nor in texts.
  const other = /(?<![.\w$])t(Rich)?\((?!")[^;]{0,60}|(?<=[(,=:?[]\s*)t(Rich)?(?=\s*[),;\]])/.exec(saying);
  if (other) throw new Error(`${id} says a message by a key that is not written out: ${other[0]}`);
  const said = saying
    .replaceAll(/(?<![.\w$])t\("([^"]+)"\)/g, (_, key: string) => textCode(read(key), { tag }))
    .replaceAll(
      /(?<![.\w$])t(Rich)?\("([^"]+)", /g,
      (_, isRich: string | undefined, key: string) => `((v) => ${filled(isRich !== undefined, read(key))})(`,
    );
  return said.replace(fillingImport, () => importFilling(said));
}

const fillingImport = "/* filling */";
const fillings = ["choose", "joined", "number", "plural"];

/** Of what fills messages in, only what this code uses: it comes with React. */
function importFilling(code: string): string {
  const used = fillings.filter((name) => code.includes(`$${name}(`)).map((name) => `${name} as $${name}`);
  return used.length > 0 ? `import { ${used.join(", ")} } from "#lib/messages/filling.ts";` : "";
}

/** The language's tag, and the number that `#` stands for within a plural. */
type Within = { tag: string; count?: string };

/** A text as an expression of the arguments `v`. */
function textCode(message: MessageFormatElement[], within: Within): string {
  const literals = message.filter((part) => part.type === TYPE.literal);
  if (literals.length === message.length) return JSON.stringify(literals.map(({ value }) => value).join(""));
  const parts = message.map((part) =>
    part.type === TYPE.literal
      ? part.value.replaceAll(/[`\\]|\$\{/g, "\\$&")
      : `\${${valueCode(part, within, textCode)}}`,
  );
  return `\`${parts.join("")}\``;
}

/** The children of an element as an expression of the arguments `v`. */
const elementsCode = (message: MessageFormatElement[], within: Within): string =>
  `$joined(${message
    .map((part) => (part.type === TYPE.literal ? JSON.stringify(part.value) : valueCode(part, within, elementsCode)))
    .join(", ")})`;

/** The code of an argument; `code` compiles its forms and words. */
function valueCode(part: MessageFormatElement, { tag, count }: Within, code: typeof textCode): string {
  if (part.type === TYPE.pound) return `$number(${tag}, ${count})`;
  const value = `v[${JSON.stringify(part.value)}]`;
  if (part.type === TYPE.argument) return value;
  if (part.type === TYPE.number) return `$number(${tag}, ${value})`;
  if (part.type === TYPE.tag) return `${value}(${code(part.children, { tag, ...(count && { count }) })})`;
  if (part.type !== TYPE.plural && part.type !== TYPE.select) throw new Error(`No message has this: ${part.value}`);
  const isPlural = part.type === TYPE.plural;
  const within = isPlural ? { tag, count: value } : { tag, ...(count && { count }) };
  const forms = Object.entries(part.options).map(
    ([name, form]) => `${JSON.stringify(name)}: ${code(form.value, within)}`,
  );
  return `${isPlural ? `$plural(${tag}, ` : "$choose("}${value}, { ${forms.join(", ")} })`;
}
