import postcss, { type Container } from "postcss";

/**
 * The part of a style sheet that a page needs: its rules, but for those of classes that no element of the page has. Of
 * Sealdesk's sheet that is the half. Groups stay even if they are empty, as layers are ordered by where they come first.
 */
export function neededStyles(sheet: string): (page: string) => string {
  const parts = partsOf(postcss.parse(sheet));
  return (page) => {
    const there = [...page.matchAll(/ class="([^"]*)"/g)].flatMap(([, classes]) => unescaped(classes!).split(" "));
    return textOf(parts, new Set(there));
  };
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };
const unescaped = (text: string) => text.replaceAll(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => entities[name]!);

/** What is always needed, rules with the classes that each of their selectors is about, or a group of such. */
type Part = string | { rule: string; needs: string[][] } | { group: string; parts: Part[] };

const groups = ["layer", "media", "supports", "container"];

const partsOf = (container: Container): Part[] =>
  (container.nodes ?? []).map((node): Part => {
    if (node.type === "comment") return "";
    if (node.type === "rule") return { rule: node.toString(), needs: node.selectors.map(classesOf) };
    if (node.type !== "atrule" || !node.nodes) return `${node.toString()};`;
    if (!groups.includes(node.name)) return node.toString();
    return { group: `@${node.name} ${node.params}`, parts: partsOf(node) };
  });

/** The classes that an element must have or be among, and not those of `:not()` and the like. */
function classesOf(selector: string): string[] {
  // What is escaped by number might be any character: such rules stay.
  if (/\\[\da-f]/i.test(selector)) return [];
  const classes: string[] = [];
  let depth = 0;
  for (const [token, name] of selector.matchAll(/\.((?:\\.|[\w-])+)|\\.|\[[^\]]*\]|[()]/g)) {
    if (token === "(") depth++;
    else if (token === ")") depth--;
    else if (name && depth === 0) classes.push(name.replaceAll("\\", ""));
  }
  return classes;
}

const textOf = (parts: Part[], there: Set<string>): string =>
  parts
    .map((part) => {
      if (typeof part === "string") return part;
      if ("parts" in part) return `${part.group}{${textOf(part.parts, there)}}`;
      return part.needs.some((classes) => classes.every((one) => there.has(one))) ? part.rule : "";
    })
    .join("");
