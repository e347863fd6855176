import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/**
 * Finds texts of pages that are in the code and not in a catalogue (`lib/messages/`), so that translators would miss
 * them. A part of `npm run check`.
 */

/** Attributes that are read out or shown; of others only whole sentences are checked. */
const shownAttributes = /^(aria-label|aria-description|alt|hint|label|placeholder|title|verb)$/;

/** Names of attributes, properties and functions whose texts are for machines or for operators. */
const exemptNames =
  /^(className|rowClass|accept|sizes|Error|TypeError|log|info|warn|error|fatal|querySelector|querySelectorAll|closest|matches|prepare|exec|t|tRich|inAddresses|mimeHeader|watch)$/;

/** Words of the contract, reasons of refusals and the like, which code goes by. */
const names = new Set([
  "in force",
  "not issued",
  "near number",
  "no answer",
  "copy withdrawn",
  "other paper",
  "withdrawn copy",
  "false alarm",
  "last day",
  "session ended",
  "link ended",
  "user moved in",
  "user moved out",
  "API key made",
  "access refused",
  "access group",
  "alert rule",
  "too large",
  "too many fields",
  "too many files",
  "control field",
  "second factor",
  "single sign-on",
  "long forms",
  "interrupted forms",
  "unknown key",
  "revoked key",
  "changed since",
  "left out",
  "custom fields",
  "removed users",
  "fetching keys",
  "fetching lists",
  "light dark",
  "comparing files",
  "Samsung Internet",
]);

/** Files without texts for users: only operators, programs or the database read them. */
const otherFiles = [
  /\.test\.ts$|\+types/,
  /^app\/(serve\.ts|entry\.server\.tsx|first-paint\/)/,
  /^app\/server\/(drafts\/(migrations\/|sweep\.ts)|worker\/|seals\.ts|request\/security(-txt)?\.ts)/,
  /^app\/server\/process\/(load-shedding|log|metrics-endpoint|resources)\.ts/,
  /^app\/routes\/(api|verify\/(missing|page-script))\.ts$/,
];

const isSentence = (text: string) => /\p{L}{2,}[,.:;!?]? \p{L}{2,}/u.test(text);
const hasWords = (text: string) => /\p{L}{2,}/u.test(text.replace("Sealdesk", ""));

const nameOf = (node: ts.Node): string | undefined => {
  if (ts.isJsxAttribute(node) || ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node))
    return node.name.getText();
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return undefined;
  const { expression } = node;
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
};

/** Texts of HTTP, HTML and CSS, and the beginnings of keys and of what buttons send. */
const machineText =
  /charset=|boundary=|max-age=|no-store|nonce-|'self'|device-width|^<p><a href=|^attachment;|^\(prefers|^transform:|^(Bearer|GET) |^(radio|checkbox) |-error $| \[name\]|^words-|^(company|user|step|earlier|later|remove|copy) $/;

/** Whether a text is an identifier: of a type, a property, an import or a comparison. */
const isName = (node: ts.Node) => {
  const { parent } = node;
  return (
    ts.isImportDeclaration(parent) ||
    ts.isLiteralTypeNode(parent) ||
    ts.isCaseClause(parent) ||
    ts.isElementAccessExpression(parent) ||
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    (ts.isBinaryExpression(parent) && /^([!=]==?|in)$/.test(parent.operatorToken.getText()))
  );
};

function isExempt(node: ts.Node): boolean {
  for (let around = node.parent; around; around = around.parent) {
    const name = nameOf(around);
    if (name && (exemptNames.test(name) || /class/i.test(name))) return true;
    if (ts.isJsxElement(around) || ts.isFunctionLike(around)) return false;
  }
  return false;
}

/** Whether a text is shown as it is: an element's, an attribute's for readers, or one that is chosen between elements. */
function isShown({ parent }: ts.Node): boolean {
  if (ts.isJsxAttribute(parent)) return shownAttributes.test(parent.name.getText());
  if (ts.isConditionalExpression(parent) || ts.isBinaryExpression(parent) || ts.isParenthesizedExpression(parent)) {
    return isShown(parent);
  }
  return ts.isJsxExpression(parent) && !ts.isJsxAttribute(parent.parent);
}

/** The words in a module that are not in the catalogue, as `LINE: WORDS`. */
export function untranslated(path: string, source: string): string[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const faults: string[] = [];
  const note = (node: ts.Node, words: string) =>
    faults.push(
      `${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${words.trim().replaceAll(/\s+/g, " ")}`,
    );
  const visit = (node: ts.Node) => {
    if (ts.isJsxText(node) && hasWords(node.text)) note(node, node.text);
    if (
      ts.isStringLiteralLike(node) &&
      !names.has(node.text) &&
      !machineText.test(node.text) &&
      !isName(node) &&
      !isExempt(node)
    ) {
      if (isSentence(node.text) || (hasWords(node.text) && isShown(node))) note(node, node.text);
    }
    if (ts.isTemplateExpression(node) && !isExempt(node)) {
      const words = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
      if (
        !words.some((text) => machineText.test(text)) &&
        words.some((text) => / (?!Sealdesk)\p{L}{2,}|\p{L}{2,} /u.test(text))
      )
        note(node, node.getText());
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return faults;
}

if (import.meta.main) {
  const root = join(import.meta.dirname, "..");
  const faults = globSync("app/**/*.{ts,tsx}", { cwd: root })
    .filter((path) => !otherFiles.some((other) => other.test(path)))
    .flatMap((path) => untranslated(path, readFileSync(join(root, path), "utf8")).map((words) => `${path}:${words}`));
  if (faults.length > 0) {
    process.stderr.write(`Words outside the catalogues (lib/messages/, lib/messages/staff/):\n${faults.join("\n")}\n`);
    process.exitCode = 1;
  }
}
