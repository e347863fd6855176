import postcss, { type Container } from "postcss";

/**
 * Returns a function from a page's HTML to the part of `sheet` that the page needs: all but the rules for classes that no
 * element of it has. Empty groups stay, because layers are ordered by where they first appear.
 */
export function criticalCss(sheet: string): (html: string) => string {
  const nodes = parsed(postcss.parse(sheet));
  return (html) => {
    const classes = [...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names]) => unescaped(names!).split(" "));
    return neededText(nodes, new Set(classes));
  };
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };
const unescaped = (text: string) => text.replaceAll(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => entities[name]!);

/** Text that every page needs, a rule with the classes that each of its selectors requires, or a group. */
type Node = string | { rule: string; required: string[][] } | { group: string; nodes: Node[] };

const groups = ["layer", "media", "supports", "container"];

const parsed = (container: Container): Node[] =>
  (container.nodes ?? []).map((node): Node => {
    if (node.type === "comment") return "";
    if (node.type === "rule") return { rule: node.toString(), required: node.selectors.map(requiredClasses) };
    if (node.type !== "atrule" || !node.nodes) return `${node.toString()};`;
    if (!groups.includes(node.name)) return node.toString();
    return { group: `@${node.name} ${node.params}`, nodes: parsed(node) };
  });

/** Classes without which a selector matches nothing; those within `:not()`, `:is()` and the like are optional. */
function requiredClasses(selector: string): string[] {
  // A numeric escape could be any character, so such rules stay.
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

const neededText = (nodes: Node[], present: Set<string>): string =>
  nodes
    .map((node) => {
      if (typeof node === "string") return node;
      if ("nodes" in node) return `${node.group}{${neededText(node.nodes, present)}}`;
      return node.required.some((classes) => classes.every((name) => present.has(name))) ? node.rule : "";
    })
    .join("");
