import { globSync, readFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const sources = globSync("{app,commands,lib,provider,tests,tools}/**/*.{ts,tsx,css}", {
  cwd: root,
});

test("every document that a comment cites is in the repository", () => {
  const missing = sources.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const cited = [...text.matchAll(/(?<![\w./(-])[\w./-]+\.md\b/g)].map(([document]) => document);
    return cited.filter((document) => !existsSync(join(root, document))).map((document) => `${file}: ${document}`);
  });
  expect(missing).toEqual([]);
});

test("the specification's sections that comments cite exist", () => {
  const headings = readFileSync(join(root, "docs/specification.md"), "utf8");
  const sections = new Set([...headings.matchAll(/^## (\d+)\./gm)].map(([, section]) => section));
  const missing = sources.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const cited = [...text.matchAll(/docs\/specification\.md`?,? sections? (\d+)(?: and (\d+))?/g)];
    return cited.flatMap(([, ...numbers]) => numbers.filter((n) => n && !sections.has(n)).map((n) => `${file}: ${n}`));
  });
  expect(missing).toEqual([]);
});

const documents = globSync("{*.md,docs/**/*.md,.github/**/*.md}", { cwd: root });

test("every file that a document names is in the repository", () => {
  const rooms = "app|commands|docs|lib|provider|tests|tools";
  const named = new RegExp(`\`((?:${rooms})/[^\`\\s]*|config\\.ts|metrics\\.ts)\``, "g");
  const missing = documents.flatMap((document) => {
    const text = readFileSync(join(root, document), "utf8");
    const files = [...text.matchAll(named)]
      .map(([, file]) => file!)
      .filter((file) => !/NOUN|NAME|NNN|LANGUAGE|AREA/.test(file));
    return files
      .filter((file) => globSync(file.replace(/\/$/, ""), { cwd: root }).length === 0)
      .map((file) => `${document}: ${file}`);
  });
  expect(missing).toEqual([]);
});

test("every link of a document leads to a file and a heading that exist", () => {
  const headingsOf = (text: string) =>
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\w\s-]/g, "")
        .replaceAll(" ", "-"),
    );
  const broken = documents.flatMap((document) => {
    const text = readFileSync(join(root, document), "utf8");
    const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
    return links.flatMap(([link, file = "", heading]) => {
      const target = file ? join(root, document, "..", file) : join(root, document);
      if (!existsSync(target)) return `${document}: ${link}`;
      return heading && !headingsOf(readFileSync(target, "utf8")).includes(heading) ? `${document}: ${link}` : [];
    });
  });
  expect(broken).toEqual([]);
});

test("no cell of a table has more than 120 characters: long ones are prose or lists", () => {
  const long = documents.flatMap((document) =>
    readFileSync(join(root, document), "utf8")
      .split("\n")
      .filter((line) => line.startsWith("|"))
      .flatMap((line) => line.split("|").filter((cell) => cell.trim().length > 120))
      .map((cell) => `${document}: ${cell.trim()}`),
  );
  expect(long).toEqual([]);
});
