import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startServer, type TestServer } from "../support/server.ts";
import type { BareElements } from "./bare/app/elements.tsx";
import type { BareRows } from "./bare/app/rows.tsx";

/** Pages of the framework alone, which ours are held against. */

const folder = join(import.meta.dirname, "bare");

type Page = { page: Omit<BareRows, "rest"> | Omit<BareElements, "rest">; markup: string };

/** Builds them, as they change with the framework, and serves each at its address with as many bytes as its markup has. */
export async function startBare(file: string, barePages: Record<string, Page>): Promise<TestServer> {
  const program = join(import.meta.dirname, "..", "..", "node_modules/.bin/react-router");
  execFileSync(program, ["build"], { cwd: folder, stdio: "ignore" });
  const start = (texts: Record<string, string>) => {
    const pages = Object.entries(barePages).map(([path, { page }]) => [path, { ...page, rest: texts[path] ?? "" }]);
    writeFileSync(file, JSON.stringify(Object.fromEntries(pages)));
    return startServer({ build: join(folder, "build", "server", "index.js"), env: { BARE_PAGES: file } });
  };
  const short = await start({});
  const texts: Record<string, string> = {};
  for (const [path, { page, markup }] of Object.entries(barePages)) {
    // With scripts, a text comes as markup, and again as data.
    const times = "rows" in page ? 2 : 1;
    const missing = Math.floor((markup.length - (await textOf(short, path)).length) / times);
    const words = markup.replace(/[^\w ]/g, "");
    texts[path] = words.padEnd(missing, "x").slice(0, missing);
  }
  await short.stop();
  return start(texts);
}

export const textOf = async ({ url }: TestServer, path: string) => (await fetch(url + path)).text();
