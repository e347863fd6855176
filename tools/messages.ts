import { readFileSync, globSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";

/**
 * Checks the catalogue of messages and writes the types of their arguments. `npm run check` runs it before the types are
 * checked, so that a key or an argument that a message lacks is an error of types.
 */

type Catalogue = Record<string, string>;
type Kind = "text" | "number" | "choice" | "element";

/** The arguments of a message by name; of a choice, its words as well. */
export function argumentsOf(message: string): Map<string, { kind: Kind; options: string[] }> {
  const argumentsByName = new Map<string, { kind: Kind; options: string[] }>();
  const visit = (elements: MessageFormatElement[]) => {
    for (const element of elements) {
      if (element.type === TYPE.argument) argumentsByName.set(element.value, { kind: "text", options: [] });
      else if (element.type === TYPE.number) argumentsByName.set(element.value, { kind: "number", options: [] });
      else if (element.type === TYPE.plural || element.type === TYPE.select) {
        const kind = element.type === TYPE.plural ? "number" : "choice";
        // Plural categories differ between languages; the words of a choice do not.
        const options = kind === "choice" ? Object.keys(element.options).toSorted() : [];
        argumentsByName.set(element.value, { kind, options });
        for (const { value } of Object.values(element.options)) visit(value);
      } else if (element.type === TYPE.tag) {
        argumentsByName.set(element.value, { kind: "element", options: [] });
        visit(element.children);
      } else if (element.type !== TYPE.literal && element.type !== TYPE.pound) {
        throw new Error(`an argument of a kind that messages do not use: ${JSON.stringify(element)}`);
      }
    }
  };
  visit(parse(message));
  return argumentsByName;
}

const shownArguments = (message: string) =>
  [...argumentsOf(message)]
    .map(([name, { kind, options }]) => [name, kind, ...options].join(" "))
    .toSorted()
    .join(", ");

/** The plural arguments of a message with the categories that it has. */
function pluralsOf(message: string): string[][] {
  const plurals: string[][] = [];
  const visit = (elements: MessageFormatElement[]) => {
    for (const element of elements) {
      if (element.type === TYPE.tag) visit(element.children);
      if (element.type !== TYPE.plural && element.type !== TYPE.select) continue;
      if (element.type === TYPE.plural) plurals.push(Object.keys(element.options));
      for (const { value } of Object.values(element.options)) visit(value);
    }
  };
  visit(parse(message));
  return plurals;
}

/** The plural categories of a language's whole numbers, as far as pages and minutes go. */
function categoriesOf(language: string) {
  const rules = new Intl.PluralRules(language);
  return [...new Set(Array.from({ length: 1000 }, (_, number) => rules.select(number)))];
}

/** Faults of a language's messages beside the English ones, a line each. Only staff's have `elements`. */
export function faultsOf(
  language: string,
  messages: Catalogue,
  english: Catalogue,
  { elements = false } = {},
): string[] {
  const missing = Object.keys(english).filter((key) => !(key in messages));
  const unknown = Object.keys(messages).filter((key) => !(key in english));
  const pluralCategories = categoriesOf(language);
  const faults = Object.entries(messages).flatMap(([key, message]) => {
    if (!(key in english)) return [];
    try {
      if (message.trim() === "" || message !== message.trim()) return [`${key} is empty or has spaces around it`];
      if (/[<>]|https?:/.test(elements ? message.replaceAll(/<\/?\w+>/g, "") : message))
        return [`${key} has markup or an address, which no message needs`];
      if (message.includes("'")) return [`${key} has a straight quote, which ICU reads as its own: use ’`];
      const [own, expected] = [message, english[key]!].map(shownArguments);
      if (own !== expected) return [`${key} has the arguments (${own}), in English (${expected})`];
      const lacking = pluralsOf(message).flatMap((has) =>
        pluralCategories.filter((category) => !has.includes(category)),
      );
      return lacking.length > 0 ? [`${key} lacks the plural forms ${[...new Set(lacking)].join(", ")}`] : [];
    } catch (error) {
      return [`${key} can’t be read as an ICU message: ${(error as Error).message}`];
    }
  });
  return [...missing.map((key) => `${key} is missing`), ...unknown.map((key) => `${key} is no message`), ...faults];
}

/** The keys that no source names. */
export function unusedKeys(keys: string[], sources: string[]): string[] {
  const named = new Set(sources.flatMap((source) => source.match(/"[\w.-]+"/g) ?? []));
  return keys.filter((key) => !named.has(`"${key}"`));
}

const types: Record<Kind, string> = {
  text: "string",
  number: "number",
  choice: "string",
  element: "(words: ReactNode) => ReactNode",
};

/** The arguments of all messages as a TypeScript type. Plain placeholders may be of another type than a text. */
export function typesOf(english: Catalogue, text = types.text): string {
  const lines = Object.entries(english).flatMap(([key, message]) => {
    const fields = [...argumentsOf(message)].map(
      ([name, { kind }]) => `${name}: ${kind === "text" ? text : types[kind]}`,
    );
    return fields.length > 0 ? [`  ${JSON.stringify(key)}: { ${fields.join("; ")} };`] : [];
  });
  const imports = lines.some((line) => line.includes("ReactNode")) ? `import type { ReactNode } from "react";\n` : "";
  return `// Written by tools/messages.ts.\n${imports}export type Arguments = {\n${lines.join("\n")}\n};\n`;
}

/** Keys that a file has twice: JSON's readers take the last one, so that a change of the first shows nowhere. */
export function repeatedKeys(json: string): string[] {
  const keys = [...json.matchAll(/^\s*"([\w.-]+)":/gm)].map(([, key]) => key!);
  return keys.filter((key, n) => keys.indexOf(key) !== n);
}

/** Catalogues by language: of a file `en.json`, or of a folder `en` of files whose names begin its keys. */
export function readCatalogues(folder: string): Map<string, Catalogue> {
  const catalogues = new Map<string, Catalogue>();
  for (const path of globSync(folder === "lib/messages/strangers" ? `${folder}/*.json` : `${folder}/*/*.json`, {
    cwd: root,
  }).toSorted()) {
    const [language = "", area] = path.slice(folder.length + 1, -".json".length).split("/");
    const text = read(path);
    const messages = JSON.parse(text) as Catalogue;
    const repeated = repeatedKeys(text);
    if (repeated.length > 0) throw new Error(`${path} has keys twice: ${repeated.join(", ")}`);
    const strays = area ? Object.keys(messages).filter((key) => !key.startsWith(`${area}.`)) : [];
    if (strays.length > 0) throw new Error(`${path} has keys of other files: ${strays.join(", ")}`);
    catalogues.set(language, { ...catalogues.get(language), ...messages });
  }
  return catalogues;
}

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

if (import.meta.main) {
  const sources = globSync("{app,provider,lib/messages}/**/*.{ts,tsx}", { cwd: root })
    .filter((path) => !path.includes("+types") && !path.endsWith(".test.ts"))
    .map(read);
  mkdirSync(join(root, "lib/messages/+types"), { recursive: true });
  const rooms = [
    { folder: "lib/messages/strangers", types: "arguments", elements: false, text: types.text },
    // The staff's pages need no marks around texts that are not ours, so that numbers may be put in as they are.
    { folder: "lib/messages/staff", types: "staff", elements: true, text: "string | number" },
  ];
  const faults = rooms.flatMap(({ folder, types: name, elements, text }) => {
    const catalogues = readCatalogues(folder);
    const english = catalogues.get("en")!;
    writeFileSync(join(root, `lib/messages/+types/${name}.ts`), typesOf(english, text));
    return [
      ...[...catalogues].flatMap(([language, messages]) =>
        faultsOf(language, messages, english, { elements }).map((fault) => `${folder}/${language}: ${fault}`),
      ),
      ...unusedKeys(Object.keys(english), sources).map((key) => `${folder}/en: ${key} is used nowhere`),
    ];
  });
  if (faults.length > 0) {
    process.stderr.write(`${faults.join("\n")}\n`);
    process.exitCode = 1;
  }
}
