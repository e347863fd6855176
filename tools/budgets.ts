import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const folders = ["app", "commands", "lib", "provider", "tests", "tools"];

/** Files that may be longer than 250 lines, up to their present length: tables, which one reads by looking up. */
const longFiles: Record<string, number> = {
  "lib/settings.ts": 350,
  "lib/page-files/pdf/pdf-rules.ts": 551,
  "provider/contract/bulk-issues.ts": 332,
  "provider/contract/scans.ts": 271,
  "provider/contract/users.ts": 258,
  "provider/contract/webhooks.ts": 253,
  "provider/mail/messages.ts": 351,
  "provider/samples/sample-company.ts": 362,
};

type Measured = { name: string; value: number };

/** A share (0 to 1) of the measured values, the smallest first, must be within `limit`. */
export type Budget = { rule: string; share: number; limit: number; measured: Measured[] };

/** Returns how `root`'s files stand to each budget. */
export function budgetsOf(root: string): Budget[] {
  const files = folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
    )
    .filter((path) => /\.tsx?$/.test(path) && !path.includes("node_modules"))
    .map((path) => parse(path, readFileSync(join(root, path), "utf8")));
  const inFolder = (folder: string) => files.filter(({ fileName }) => fileName.startsWith(`${folder}/`));

  const routes = inFolder("app/routes").filter(isRouteModule).map(lineCount);
  const components = inFolder("app/components").filter(isSource).filter(isTsx).map(lineCount);
  const specs = files.filter(({ fileName }) => fileName.endsWith(".spec.ts")).map(lineCount);
  const functions = files.flatMap((file) => functionsOf(file).map((node) => ({ file, node })));
  return [
    { rule: "lines of a route module, median", share: 0.5, limit: 60, measured: routes },
    { rule: "lines of a route module, 95 %", share: 0.95, limit: 190, measured: routes },
    { rule: "lines of a route module", share: 1, limit: 210, measured: routes },
    { rule: "lines of a component, 95 %", share: 0.95, limit: 140, measured: components },
    { rule: "lines of a browser spec", share: 1, limit: 250, measured: specs },
    {
      rule: "lines of a function",
      share: 1,
      limit: 100,
      measured: functions.filter(({ file }) => isSource(file)).map(({ file, node }) => functionLines(file, node)),
    },
    {
      rule: "positional parameters of a function",
      share: 1,
      limit: 4,
      // What calls a callback chooses its parameters, and React Router those of its server entry.
      measured: functions
        .filter(({ file, node }) => !ts.isCallExpression(node.parent) && file.fileName !== "app/entry.server.tsx")
        .map(({ file, node }) => ({ name: nameOf(file, node), value: node.parameters.length })),
    },
    ...["app/server", "provider"].map((folder) => ({
      rule: `loose files in ${folder}`,
      share: 1,
      limit: 8,
      measured: [{ name: folder, value: inFolder(folder).filter(isSource).filter(isLooseIn(folder)).length }],
    })),
    ...["app/server", "lib/storage"].map((folder) => ({
      rule: `percent of lines with comments in ${folder}`,
      share: 1,
      limit: 7,
      measured: [{ name: folder, value: commentPercent(inFolder(folder).filter(isSource)) }],
    })),
  ];
}

/**
 * Returns how many lines of TypeScript `root` has, in source and in tests, how many words its documents have, and how far
 * source files are over their length.
 */
export function sumBudgets(root: string): Budget[] {
  const measure = (pattern: string, valueOf: (text: string) => number): Measured[] =>
    globSync(pattern, {
      cwd: root,
      exclude: (name) =>
        ["node_modules", "build", ".react-router", "test-results", "+types"].some((folder) => name.includes(folder)),
    }).map((name) => ({ name, value: valueOf(readFileSync(join(root, name), "utf8")) }));
  const files = measure("**/*.{ts,tsx}", lineFeeds);
  const isTest = ({ name }: Measured) => name.startsWith("tests/") || /\.test\.tsx?$/.test(name);
  const [tests, source] = [files.filter(isTest), files.filter((file) => !isTest(file))];
  const sum = (all: Measured[]) => all.reduce((lines, { value }) => lines + value, 0);
  const beyond = source.map(({ name, value }) => ({ name, value: value - (longFiles[name] ?? 250) }));
  return [
    { rule: "lines of source", share: 1, limit: 112_530, measured: [{ name: "source", value: sum(source) }] },
    { rule: "lines of tests", share: 1, limit: 86_080, measured: [{ name: "tests", value: sum(tests) }] },
    {
      rule: "words of documents",
      share: 1,
      limit: 43_100,
      measured: [{ name: "*.md", value: sum(measure("**/*.md", words)) }],
    },
    { rule: "lines of a source file beyond its limit", share: 1, limit: 0, measured: beyond },
  ];
}

/** Returns the values over a budget, the largest first; none while enough of them are within it. */
export function over({ share, limit, measured }: Budget) {
  const large = measured.filter(({ value }) => value > limit).toSorted((a, b) => b.value - a.value);
  return large.length > Math.floor(measured.length * (1 - share) + 1e-9)
    ? large.map(({ name, value }) => `${value} ${name}`)
    : [];
}

const parse = (path: string, text: string) =>
  ts.createSourceFile(
    path,
    text,
    ts.ScriptTarget.Latest,
    true,
    path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );

const isTsx = ({ fileName }: ts.SourceFile) => fileName.endsWith(".tsx");
const isSource = ({ fileName }: ts.SourceFile) => !/\.(test|spec)\.tsx?$/.test(fileName);
const isLooseIn =
  (folder: string) =>
  ({ fileName }: ts.SourceFile) =>
    !fileName.slice(folder.length + 1).includes("/");

const words = (text: string) => text.split(/\s+/).filter(Boolean).length;
const lineFeeds = (text: string) => text.split("\n").length - 1;
const lineOf = (file: ts.SourceFile, position: number) => file.getLineAndCharacterOfPosition(position).line + 1;
const linesOf = (file: ts.SourceFile) => file.text.trimEnd().split("\n").length;
const lineCount = (file: ts.SourceFile) => ({ name: file.fileName, value: linesOf(file) });

/** A route module renders a page, loads its data or takes its forms. */
function isRouteModule(file: ts.SourceFile) {
  return file.statements.some((statement) => {
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    const has = (kind: ts.SyntaxKind) => modifiers.some((modifier) => modifier.kind === kind);
    if (!has(ts.SyntaxKind.ExportKeyword)) return false;
    const names = ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.map(({ name }) => name.getText())
      : ts.isFunctionDeclaration(statement) && [statement.name?.text];
    return has(ts.SyntaxKind.DefaultKeyword) || (names && names.some((name) => name === "loader" || name === "action"));
  });
}

function functionsOf(file: ts.SourceFile) {
  const functions: ts.FunctionLikeDeclaration[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isFunctionLike(node) && "body" in node) functions.push(node as ts.FunctionLikeDeclaration);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return functions;
}

function functionLines(file: ts.SourceFile, node: ts.FunctionLikeDeclaration) {
  return { name: nameOf(file, node), value: lineOf(file, node.end) - lineOf(file, node.getStart()) + 1 };
}

function nameOf(file: ts.SourceFile, node: ts.FunctionLikeDeclaration) {
  const named = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
  return `${file.fileName}:${lineOf(file, node.getStart())} ${named?.getText() ?? "(anonymous)"}`;
}

function commentPercent(files: ts.SourceFile[]) {
  const lines = files.reduce((sum, file) => sum + linesOf(file), 0);
  const comments = files.reduce((sum, file) => sum + commentLines(file), 0);
  return Math.round((1000 * comments) / lines) / 10;
}

/** Counts the lines that a comment begins, continues or ends on. */
function commentLines(file: ts.SourceFile) {
  const lines = new Set<number>();
  const visit = (node: ts.Node) => {
    const isToken = node.getChildCount() === 0 && node.kind !== ts.SyntaxKind.JsxText;
    const ranges = isToken
      ? [
          ...(ts.getLeadingCommentRanges(file.text, node.pos) ?? []),
          ...(ts.getTrailingCommentRanges(file.text, node.end) ?? []),
        ]
      : [];
    for (const { pos, end } of ranges) {
      for (let line = lineOf(file, pos); line <= lineOf(file, end); line++) lines.add(line);
    }
    node.getChildren().forEach(visit);
  };
  visit(file);
  return lines.size;
}

if (import.meta.main) {
  const root = join(import.meta.dirname, "..");
  const [source, tests, documents, ...others] = sumBudgets(root);
  for (const { rule, limit, measured } of [source!, tests!, documents!]) {
    process.stdout.write(`${measured[0]!.value} ${rule} (at most ${limit})\n`);
  }
  const broken = [source!, tests!, documents!, ...others, ...budgetsOf(root)].filter(
    (budget) => over(budget).length > 0,
  );
  for (const budget of broken) {
    process.stderr.write(`${budget.rule}, at most ${budget.limit}: ${over(budget).join(", ")}\n`);
  }
  process.exitCode = broken.length > 0 ? 1 : 0;
}
